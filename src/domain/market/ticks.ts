import type { CoinTick, Quotes } from '#contract/market/market.ts';

/** A coin's figures with what has moved since they were asked for. What ticks do not tell stays. */
export function withTick(quotes: Quotes, tick: CoinTick | undefined): Quotes {
  if (!tick) return quotes;
  const { USD, BTC } = quotes;
  return { ...(USD && { USD: { ...USD, ...tick.quote.USD } }), ...(BTC && { BTC: { ...BTC, ...tick.quote.BTC } }) };
}
