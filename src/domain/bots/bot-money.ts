/** What a bot trades with: paper money here, play money on a real exchange's test network, or its user's own. */
export type Money = 'paper' | 'testnet' | 'live';

/** Of a bot's settings, of a server's, or of an exchange itself. */
export const moneyOf = ({ exchange, paper }: { exchange: 'paper' | 'bybit'; paper: boolean }): Money => {
  if (exchange === 'paper') return 'paper';
  return paper ? 'testnet' : 'live';
};

/** How it is called wherever a bot shows, to the letter: one must never be taken for another. */
export const MONEY_NAMES: Record<Money, string> = { paper: 'Paper trading', testnet: 'Test network', live: 'Real money' };
