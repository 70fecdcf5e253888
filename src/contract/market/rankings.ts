/** The rankings of the market list: the wire's id and the label on the screen. */
export const RANKINGS = [
  { id: 1, label: 'Ranking' },
  { id: 2, label: 'Trending' },
  { id: 3, label: 'Upcoming' },
  { id: 4, label: 'Most Visited' },
  { id: 5, label: 'Recently Added' },
  { id: 6, label: 'Chain Ranking' },
] as const;

export type RankingId = (typeof RANKINGS)[number]['id'];
