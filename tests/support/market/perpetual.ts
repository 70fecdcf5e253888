import type { Perpetual } from '#domain/analyst/figures.ts';

/** Creates figures of the perpetual of BTC. */
export const perpetualOf = (changes: Partial<Perpetual> = {}): Perpetual => ({
  source: 'Bybit BTCUSDT perpetual',
  asOf: Date.parse('2026-05-13T09:30:00Z'),
  fundingRate: 0.0001,
  nextFundingAt: Date.parse('2026-05-13T16:00:00Z'),
  openInterest: { coins: 52_310.4, usd: 5_170_000_000 },
  ...changes,
});
