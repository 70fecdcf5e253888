/** The one market that is traded. */
export const MARKET = { category: 'linear', symbol: 'BTCUSDT' } as const;
/** Smallest step of quantity (BTC) and price (USD), and the smallest order (BTC): as this market has had them for years. */
export const STEPS = { quantity: 0.001, price: 0.1, least: 0.001 };
