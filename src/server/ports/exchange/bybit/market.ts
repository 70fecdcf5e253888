/** The only market that bots trade. */
export const MARKET = { category: 'linear', symbol: 'BTCUSDT' } as const;

/** Returns the market's name, as users read it. */
export const marketName = (testnet: boolean): string => `Bybit ${MARKET.symbol} perpetual${testnet ? ', test network' : ''}`;
