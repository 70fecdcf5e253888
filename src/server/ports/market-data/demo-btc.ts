import { DAY, HOUR } from '#domain/clock.ts';
import type { SimulatedFeed } from '../exchange/simulated-feed.ts';
import { readBundledCandles } from './bundled.ts';
import type { CoinWalk } from './demo-walk.ts';
import type { CandleSeries } from './market-data.ts';

/** The part of the bots' price feed that the market uses. */
export type BtcFeed = Pick<SimulatedFeed, 'source' | 'speed' | 'now' | 'priceAt' | 'candles' | 'live'>;

/** Length of the feed's history to show, in one-hour candles. */
const SHOWN = (90 * DAY) / HOUR;

/** Returns the feed's prices at a tick, by their age in ms: those that the demo market compares. None while the feed has none. */
export function pricesByAge(feed: BtcFeed, ages: readonly number[], { tick, now }: { tick: number; now: number }): Map<number, number> {
  if (!hasPrices(feed)) return new Map();
  const atTick = feed.now() - (now - tick) * (feed.speed ?? 1);
  return new Map(ages.map((age) => [age, feed.priceAt(atTick - age)]));
}

/** Returns BTC's prices of a tick that all processes share, or a random walk while there are none. */
export function fixedWalk(tick: number, prices: ReadonlyMap<number, number>, own: CoinWalk): CoinWalk {
  if (prices.size === 0) return own;
  return { ...own, price: (time) => prices.get(tick - time) ?? own.price(time) };
}

/** Live prices may not have come yet. */
export function hasPrices(feed: BtcFeed): boolean {
  try {
    return feed.priceAt(feed.now()) > 0;
  } catch {
    return false;
  }
}

/** Returns BTC's one-hour candles: the bundled ones, then the feed's. Returns the same object until an hour closes. */
export function createBtcHistory(feed: BtcFeed | undefined): () => Promise<CandleSeries> {
  let bundled: CandleSeries | undefined;
  let joined: CandleSeries | undefined;

  return async () => {
    bundled ??= { source: 'Binance BTC/USDT spot', interval: '1h', candles: readBundledCandles() };
    if (!feed) return bundled;
    const open = Math.floor(feed.now() / HOUR) * HOUR;
    if (joined?.candles.at(-1)?.time === open - HOUR) return joined;
    const recent = (await feed.candles(HOUR, SHOWN + 1).catch(() => [])).slice(0, -1);
    if (recent.length === 0) return joined ?? bundled;
    // Drop the bundled candles' last day: it has only one hour and would look like a full day.
    const lastDay = Math.floor((bundled.candles.at(-1)?.time ?? 0) / DAY) * DAY;
    const before = Math.min(recent[0]?.time ?? lastDay, lastDay);
    joined = {
      source: `${bundled.source}, then ${feed.source}`,
      interval: '1h',
      current: true,
      candles: [...bundled.candles.filter(({ time }) => time < before), ...recent],
    };
    return joined;
  };
}
