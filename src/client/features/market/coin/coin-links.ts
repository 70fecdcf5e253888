import type { CryptoDetails } from '#contract/market/coin-details.ts';

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

/** Returns the links of a coin's project. Leaves out missing ones, and addresses other than HTTP. */
export const coinLinks = (details: CryptoDetails): CoinLink[] =>
  LINKS.flatMap(([label, name]) => {
    const href = details[name] ?? '';
    return URL.canParse(href) && /^https?:$/.test(new URL(href).protocol) ? [{ label, href }] : [];
  });
