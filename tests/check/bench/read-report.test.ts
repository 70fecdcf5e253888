import { expect, test } from 'vitest';
import { lighthouseRows, readReport } from '#tests/bench/lighthouse/read-report.ts';

const category = (score: number | null, ...auditRefs: { id: string; weight: number }[]) => ({ score, auditRefs });

const REPORT = {
  categories: {
    performance: category(0.874, { id: 'slow', weight: 10 }, { id: 'informs', weight: 0 }),
    accessibility: category(1, { id: 'fine', weight: 1 }),
    'best-practices': category(null, { id: 'unknown', weight: 1 }),
    seo: category(0.92, { id: 'blocked', weight: 4 }),
  },
  audits: {
    slow: { title: 'Slow', score: 0.41, displayValue: '2.6 s' },
    informs: { title: 'Informs', score: 0 },
    fine: { title: 'Fine', score: 1 },
    unknown: { title: 'Unknown', score: null },
    blocked: { title: 'Blocked', score: 0, details: { items: [{ description: 'by robots.txt' }, {}] } },
  },
};

test('scores and the audits that cost points are read', () => {
  const report = readReport(JSON.stringify(REPORT));
  expect(report).toEqual({
    scores: { performance: 87, accessibility: 100, 'best-practices': undefined, seo: 92 },
    failed: ['slow 2.6 s', 'blocked by robots.txt'],
  });
  expect(lighthouseRows([{ page: '/', ...report }])[1]).toEqual(['/', '87', '100', '?', '92', 'slow 2.6 s, blocked by robots.txt']);
});

test('a page that could not be loaded is an error, not a score of zero', () => {
  expect(() => readReport(JSON.stringify({ ...REPORT, runtimeError: { message: 'no paint' } }))).toThrow('no paint');
});
