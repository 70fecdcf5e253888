import { EXCHANGES, type ExchangeName } from '#contract/bots/exchange-names.ts';

/** What a bot trades with: paper money, play money on a real exchange's test network, or its user's own money. */
export type Money = 'paper' | 'testnet' | 'live';

/** @param paper whether no real money is at stake. */
export const moneyOf = ({ exchange, paper }: { exchange: ExchangeName; paper: boolean }): Money => {
  if (EXCHANGES[exchange].isSimulated) return 'paper';
  return paper ? 'testnet' : 'live';
};

/** Labels of each kind of money, the same on every screen, so that users never mistake one for another. */
export const MONEY_NAMES: Record<Money, string> = { paper: 'Paper trading', testnet: 'Test network', live: 'Real money' };
