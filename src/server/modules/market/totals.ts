import type { MarketTotals } from '#contract/market/totals.ts';
import { BITCOIN } from '#domain/market/coin.ts';
import type { MarketData, MarketSnapshot } from '#server/ports/market-data/market-data.ts';
import { memo } from '#server/ports/market-data/memo.ts';

/** Sums up the market, once per snapshot. */
export function createTotals(market: MarketData): () => Promise<MarketTotals> {
  const totals = memo(totalsOf);
  return async () => totals(await market.snapshot());
}

interface Caps {
  now: number;
  /** A day ago, from the price's change: supplies hardly change in a day. */
  before: number;
}

/** The change compares only coins whose cap and change are known. */
export function totalsOf({ source, coins }: MarketSnapshot): MarketTotals {
  const known = coins.flatMap(({ id, quote: { USD } }) =>
    USD.market_cap === null ? [] : [{ id, cap: USD.market_cap, change: USD.percent_change_24h }],
  );
  const compared = known.flatMap(({ id, cap, change }) =>
    change === null || change <= -100 ? [] : [{ id, now: cap, before: cap / (1 + change / 100) }],
  );
  const sum = (coin?: number): Caps =>
    compared.reduce(
      (caps, { id, now, before }) => (coin === undefined || id === coin ? { now: caps.now + now, before: caps.before + before } : caps),
      { now: 0, before: 0 },
    );
  const all = sum();
  const bitcoin = sum(BITCOIN);
  const cap = known.reduce((total, coin) => total + coin.cap, 0);
  const bitcoinCap = known.find(({ id }) => id === BITCOIN)?.cap;
  const isComparable = all.before > 0;
  return {
    market_cap: known.length > 0 ? cap : null,
    market_cap_change_24h: isComparable ? (all.now / all.before - 1) * 100 : null,
    btc_dominance: bitcoinCap === undefined || cap <= 0 ? null : (bitcoinCap / cap) * 100,
    btc_dominance_change_24h: isComparable && bitcoin.before > 0 ? (bitcoin.now / all.now - bitcoin.before / all.before) * 100 : null,
    coins: known.length,
    source,
  };
}
