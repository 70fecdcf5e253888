import { DAY, HOUR } from '#domain/clock.ts';
import type { SimulatedFeed } from '../exchange/simulated-feed.ts';
import { readBundledCandles } from './bundled.ts';
import type { CoinWalk } from './demo-walk.ts';
import type { CandleSeries } from './market-data.ts';

/** The market that bots trade on, as far as the demo market follows it. */
export type BtcFeed = Pick<SimulatedFeed, 'speed' | 'now' | 'priceAt' | 'candles'>;

/** How much of the feed is shown as BTC's latest history, in candles of an hour. */
const SHOWN = (90 * DAY) / HOUR;

/** BTC where the bots trade it. An hour or a day ago is one of the feed's time, which may run faster than the clock's. */
export function feedWalk(feed: BtcFeed, { tick, now, volume }: { tick: number; now: number } & Pick<CoinWalk, 'volume'>): CoinWalk {
  const atTick = feed.now() - (now - tick) * (feed.speed ?? 1);
  return { price: (time) => feed.priceAt(atTick - (tick - time)), volume };
}

/** BTC's candles of an hour: the bundled ones, and after them the feed's where there is one. The same object until an hour closes. */
export function createBtcHistory(feed: BtcFeed | undefined): () => Promise<CandleSeries> {
  let bundled: CandleSeries | undefined;
  let joined: CandleSeries | undefined;

  return async () => {
    bundled ??= { source: 'Binance BTC/USDT spot', interval: '1h', candles: readBundledCandles() };
    if (!feed) return bundled;
    const open = Math.floor(feed.now() / HOUR) * HOUR;
    if (joined?.candles.at(-1)?.time === open - HOUR) return joined;
    const replayed = (await feed.candles(HOUR, SHOWN + 1)).slice(0, -1);
    // The bundled candles end with the first hour of a day, which would stand as a day among days.
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
