import { DAY, HOUR } from '#domain/clock.ts';
import type { SimulatedFeed } from '../exchange/simulated-feed.ts';
import { readBundledCandles } from './bundled.ts';
import type { CoinWalk } from './demo-walk.ts';
import type { CandleSeries } from './market-data.ts';

/** The part of the bots' price feed that the demo market uses. */
export type BtcFeed = Pick<SimulatedFeed, 'speed' | 'now' | 'priceAt' | 'candles'>;

/** Length of the feed's history to show, in one-hour candles. */
const SHOWN = (90 * DAY) / HOUR;

/** Walks BTC along the bots' feed. Past times are scaled to the feed's time, which may run faster than the clock. */
export function feedWalk(feed: BtcFeed, { tick, now, volume }: { tick: number; now: number } & Pick<CoinWalk, 'volume'>): CoinWalk {
  const atTick = feed.now() - (now - tick) * (feed.speed ?? 1);
  return { price: (time) => feed.priceAt(atTick - (tick - time)), volume };
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
    const replayed = (await feed.candles(HOUR, SHOWN + 1)).slice(0, -1);
    // Drop the bundled candles' last day: it has only one hour and would look like a full day.
    const lastDay = Math.floor((bundled.candles.at(-1)?.time ?? 0) / DAY) * DAY;
    const before = Math.min(replayed[0]?.time ?? lastDay, lastDay);
    joined = {
      source: `${bundled.source}, then its perpetual, replayed`,
      interval: '1h',
      current: true,
      candles: [...bundled.candles.filter(({ time }) => time < before), ...replayed],
    };
    return joined;
  };
}
