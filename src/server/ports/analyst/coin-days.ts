import { SECOND } from '#domain/clock.ts';
import type { Bar } from '#domain/market/candles.ts';
import { withDeadline } from '#server/with-deadline.ts';
import type { MarketData } from '../market-data/market-data.ts';

/** How long an answer waits for a provider's candles, ms. */
const PATIENCE = 3 * SECOND;

/** Daily candles of a coin, oldest first. */
export interface CoinDays {
  /** Shown to the user, such as "Kraken BTC/USD". */
  source: string;
  /** The demo market has drawn at least a part of them. */
  demo: boolean;
  candles: readonly Bar[];
}

/** Returns up to a year of a coin's daily candles; undefined where there are none, or none in time. */
export async function daysOf(market: MarketData, coinId: number): Promise<CoinDays | undefined> {
  const series = await withDeadline(PATIENCE, undefined, async () =>
    market.drawn ? market.drawn.candles(coinId, '1d') : market.history?.days(coinId),
  ).catch(() => undefined);
  if (!series || series.candles.length === 0) return undefined;
  return { source: series.source, demo: 'demo' in series && series.demo, candles: series.candles };
}
