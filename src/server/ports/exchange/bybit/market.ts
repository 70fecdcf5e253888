/** The only market that bots trade. */
export const MARKET = { category: 'linear', symbol: 'BTCUSDT' } as const;
