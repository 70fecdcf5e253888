import { type Clock, DAY, HOUR, MINUTE, SECOND } from '#domain/clock.ts';
import { type Candle, foldCandles } from '#domain/market/candles.ts';
import { withDeadline } from '#server/with-deadline.ts';
import { readBundledCandles } from './bundled.ts';
import { type BtcFeed, hasPrices } from './demo-btc.ts';
import { CANDLE_MS, type CandleInterval } from './market-data.ts';
import { withPrice } from './with-price.ts';

/** A live feed is read again after this time, ms. */
const LIVE_LIFE = 5 * MINUTE;
/** Time limit of reading a feed, ms. */
const LIMIT = 3 * SECOND;
/** Length of the history: what a feed's own candles cover. */
const HOURS = 14 * DAY;
const REPLAYED_DAYS = 90 * DAY;
const LIVE_DAYS = 1000 * DAY;

interface Real {
  source: string;
  /** True if recorded candles are dated to the present. */
  demo: boolean;
  candles: readonly Candle[];
}

export interface FeedHistory {
  /** Returns the candles up to a tick's price; undefined while the feed has no prices. */
  candles(interval: CandleInterval, at: { tick: number; price: number }): Promise<Real | undefined>;
  /** Returns the prices at ages (ms) before a tick; undefined while the feed has none. */
  prices(ages: readonly number[], tick: number): readonly number[] | undefined;
}

/**
 * Returns Bitcoin's history from the bots' feed, dated so that it ends at the tick: a replay runs faster than the clock. Before a
 * replay come the bundled candles, dated and scaled to join it.
 */
export function createFeedHistory(feed: BtcFeed, clock: Clock): FeedHistory {
  const isLive = feed.speed === null;
  const kept = new Map<CandleInterval, { key: string; flight: Promise<readonly Candle[]>; last: readonly Candle[] }>();
  const feedTime = (tick: number): number => feed.now() - (clock() - tick) * (feed.speed ?? 1);

  /** Returns the length of the feed's candles that a history is folded from: with short ones, ages are exact. */
  const stepOf = (interval: CandleInterval): number => (isLive ? CANDLE_MS[interval] : interval === '1h' ? 5 * MINUTE : HOUR);

  async function read(interval: CandleInterval, tick: number): Promise<readonly Candle[]> {
    const step = stepOf(interval);
    const length = CANDLE_MS[interval];
    const span = interval === '1h' ? HOURS : isLive ? LIVE_DAYS : REPLAYED_DAYS;
    const shift = Math.floor(tick / step) * step - Math.floor(feedTime(tick) / step) * step;
    const begin = Math.floor(tick / length) * length - span + length;
    const given = await withDeadline(LIMIT, undefined, () => feed.candles(step, Math.ceil((tick - begin) / step) + 2));
    const dated = given.map((candle) => ({ ...candle, time: candle.time + shift })).filter(({ time }) => time >= begin && time <= tick);
    const folded = foldCandles(dated, length);
    return interval === '1d' && !isLive ? [...recordedBefore(folded[0]), ...folded] : folded;
  }

  function reading(interval: CandleInterval, tick: number): Promise<readonly Candle[]> {
    const step = stepOf(interval);
    const key = isLive
      ? `${Math.floor(tick / LIVE_LIFE)}`
      : `${Math.floor(feedTime(tick) / step)} ${Math.floor(tick / CANDLE_MS[interval])}`;
    const known = kept.get(interval);
    if (known?.key === key) return known.flight;
    const last = known?.last ?? [];
    const entry = { key, last, flight: Promise.resolve(last) };
    entry.flight = read(interval, tick).then(
      (candles) => {
        entry.last = candles;
        return candles;
      },
      () => last,
    );
    kept.set(interval, entry);
    return entry.flight;
  }

  return {
    async candles(interval, { tick, price }) {
      if (!hasPrices(feed)) return undefined;
      const candles = await reading(interval, tick);
      const open = candles.at(-1);
      const source = isLive ? feed.source : `${feed.source}, dated to today`;
      return { source, demo: !isLive, candles: open ? [...candles.slice(0, -1), withPrice(open, price)] : [] };
    },
    prices(ages, tick) {
      if (!hasPrices(feed)) return undefined;
      const now = feedTime(tick);
      return ages.map((age) => feed.priceAt(now - age));
    },
  };
}

let recorded: readonly Candle[] | undefined;

/** Returns the bundled days, dated to end before a candle and scaled to join its open. */
function recordedBefore(first: Candle | undefined): Candle[] {
  if (!first) return [];
  // The last bundled day is incomplete.
  recorded ??= foldCandles(readBundledCandles(), DAY).slice(0, -1);
  const last = recorded.at(-1);
  if (!last) return [];
  const shift = first.time - DAY - last.time;
  const scale = first.open / last.close;
  const scaled = (price: number): number => Number((price * scale).toFixed(2));
  return recorded.map(({ time, open, high, low, close, volume }) => ({
    time: time + shift,
    open: scaled(open),
    high: scaled(high),
    low: scaled(low),
    close: scaled(close),
    volume,
  }));
}
