/** The only market that bots trade. */
export const MARKET = { instId: 'BTC-USDT-SWAP' } as const;
/** The market's contracts of all kinds, which share risk tiers and fees. */
export const FAMILY = 'BTC-USDT';
/** Margin of every order and of the leverage. */
export const MARGIN = 'isolated';
