/** The only market that bots trade. */
export const MARKET = { category: 'linear', symbol: 'BTCUSDT' } as const;
/** Steps of quantity (BTC) and price (USD), and the smallest order (BTC). This market has not changed them for years. */
export const STEPS = { quantity: 0.001, price: 0.1, least: 0.001 };
