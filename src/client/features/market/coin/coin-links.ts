import type { CryptoDetails } from '#contract/market/market.ts';

export interface CoinLink {
  label: string;
  href: string;
}

const LINKS = [
  ['Website', 'websiteUrl'],
  ['Technical Doc', 'technicalDocUrl'],
  ['Reddit', 'redditUrl'],
  ['GitHub', 'githubUrl'],
  ['Explorer', 'explorerUrl'],
] as const;

/** The project's own pages (spec §3): missing ones do not show, nor does anything that is not a page of the web. */
export const coinLinks = (details: CryptoDetails): CoinLink[] =>
  LINKS.flatMap(([label, name]) => {
    const href = details[name] ?? '';
    return URL.canParse(href) && /^https?:$/.test(new URL(href).protocol) ? [{ label, href }] : [];
  });
