const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
type Category = (typeof CATEGORIES)[number];

/** Lighthouse's result for one page. */
export interface Report {
  page: string;
  /** 0 to 100; undefined when Lighthouse could not tell. */
  scores: Record<Category, number | undefined>;
  /** Audits that cost points, with what they say. */
  failed: string[];
}

interface Audit {
  title: string;
  score: number | null;
  displayValue?: string;
  details?: { items?: { description?: string }[] };
}

interface Json {
  runtimeError?: { message: string };
  categories: Record<Category, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, Audit>;
}

/**
 * Reads Lighthouse's JSON.
 * @throws when Lighthouse could not load the page
 */
export function readReport(text: string): Omit<Report, 'page'> {
  const { runtimeError, categories, audits }: Json = JSON.parse(text);
  if (runtimeError) throw new Error(runtimeError.message);
  const scoreOf = ({ score }: { score: number | null }) => (score === null ? undefined : Math.round(score * 100));
  const failed = CATEGORIES.flatMap((category) =>
    categories[category].auditRefs
      // An audit without weight informs only.
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.995)
      .map(({ id }) => [id, audits[id]?.displayValue, ...descriptionsOf(audits[id])].filter(Boolean).join(' ')),
  );
  return {
    scores: Object.fromEntries(CATEGORIES.map((category) => [category, scoreOf(categories[category])])) as Report['scores'],
    failed: [...new Set(failed)],
  };
}

/** What the browser logged, for the audit of errors. */
const descriptionsOf = (audit: Audit | undefined) => (audit?.details?.items ?? []).flatMap(({ description }) => description ?? []);

/** Returns the rows of a table, and the head row. */
export const lighthouseRows = (reports: readonly Report[]): string[][] => [
  ['Page', 'Performance', 'Accessibility', 'Best practices', 'SEO', 'Audits below 100'],
  ...reports.map(({ page, scores, failed }) => [page, ...CATEGORIES.map((category) => String(scores[category] ?? '?')), failed.join(', ')]),
];
