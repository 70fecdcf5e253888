import type { CoinTick } from '#contract/market/coin-ticks.ts';
import type { Quotes } from '#contract/market/market.ts';

/** Merges a tick into a coin's figures. Figures that the tick lacks stay. */
export function withTick(quotes: Quotes, tick: CoinTick | undefined): Quotes {
  if (!tick) return quotes;
  const { USD, BTC } = quotes;
  return { ...(USD && { USD: { ...USD, ...tick.quote.USD } }), ...(BTC && { BTC: { ...BTC, ...tick.quote.BTC } }) };
}
