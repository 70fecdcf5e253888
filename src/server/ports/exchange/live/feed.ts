import { SECOND } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { type CloseAnnouncer, createCloseAnnouncer } from '../close-announcer.ts';
import { type CandleFeed, ExchangeError } from '../exchange.ts';
import { loadCandles, type PageReader, unbroken } from './candle-pages.ts';

/** Cached candles of each length; more if one call asks for more. */
const MIN_CACHED = 10_000;
/** Time after its close until a candle is final, ms. */
const SETTLING = SECOND;
/** Lifetime of the cached open candle, ms. */
const FRESH = SECOND;

/** Returns up to when candles are final at `now`: one that is not counts as open. */
export const finalTo = (now: number, length: number): number => Math.floor((now - SETTLING) / length) * length;

interface Options {
  /** Returns the exchange's time, ms. */
  now: () => number;
  pages: PageReader;
  source: string;
  /** ms. */
  interval: number;
  /** Receives errors of listeners, and one error per outage of the market. */
  report: (error: unknown) => void;
}

export type LiveFeed = CandleFeed & CloseAnnouncer;

/** Cached closed candles of one length, oldest first, without gaps. */
interface Series {
  candles: Candle[];
  /** Start of the range that was loaded, ms. */
  from: number;
}

/** Creates the feed of an exchange's BTC candles, in the exchange's time. Concurrent callers share requests; the first caller starts them. */
export function createLiveFeed({ now, pages, source, interval, report }: Options): LiveFeed {
  const kept = new Map<number, Series>();
  const working = new Map<number, Promise<unknown>>();
  const open = new Map<number, { at: number; time: number; candle: Promise<Candle> }>();

  /** Start of the open candle. */
  const closedTo = (length: number): number => finalTo(now(), length);

  async function renew(length: number, count: number): Promise<Candle[]> {
    const to = closedTo(length);
    const from = to - count * length;
    const { candles, from: asked } = kept.get(length) ?? { candles: [], from: to };
    const first = candles[0]?.time ?? to;
    const last = candles.at(-1)?.time;
    const before = from < asked ? await loadCandles(pages, length, from, first) : [];
    const after = last === undefined || last + length >= to ? [] : await loadCandles(pages, length, last + length, to);
    const hasNew = before.length + after.length > 0;
    const all = hasNew ? unbroken([...before, ...candles, ...after], length) : candles;
    const rest = all.slice(-Math.max(MIN_CACHED, count));
    kept.set(length, { candles: rest, from: rest.length < all.length ? (rest[0]?.time ?? to) : Math.min(asked, from) });
    return rest.slice(-count).filter(({ time }) => time < to);
  }

  /** Returns the last closed candles. One call at a time, because each uses what the one before has cached. */
  function closed(length: number, count: number): Promise<Candle[]> {
    const work = (working.get(length) ?? Promise.resolve()).catch(() => undefined).then(() => renew(length, count));
    working.set(length, work);
    return work;
  }

  /** Loads the open candle that began at `time`; a flat one at the last close if the exchange has not begun it. */
  async function askOpen(length: number, time: number): Promise<Candle> {
    const candle = (await pages.read(length, { limit: 2 })).findLast((one) => one.time <= time);
    if (!candle) throw new ExchangeError('unavailable', 'The exchange has no price.');
    if (candle.time === time) return candle;
    const { close } = candle;
    return { time, open: close, high: close, low: close, close, volume: 0 };
  }

  function forming(length: number): Promise<Candle> {
    const known = open.get(length);
    const at = now();
    const time = closedTo(length);
    if (known && known.time === time && Math.abs(at - known.at) < FRESH) return known.candle;
    const candle = askOpen(length, time);
    open.set(length, { at, time, candle });
    candle.catch(() => open.delete(length));
    return candle;
  }

  const announcer = createCloseAnnouncer({
    interval,
    openSince: () => closedTo(interval),
    left: (begin) => begin + interval + SETTLING - now(),
    async closedFrom(begin) {
      const candles = await closed(interval, (closedTo(interval) - begin) / interval);
      return candles.filter(({ time }) => time >= begin);
    },
    report,
  });

  return {
    source,
    interval,
    speed: null,
    now,
    closed: (count) => closed(interval, count),
    forming: () => forming(interval),
    async candles(length, count) {
      const last = await forming(length);
      const over = count > 1 ? (await closed(length, count)).filter(({ time }) => time < last.time).slice(1 - count) : [];
      return [...over, last];
    },
    ...announcer,
  };
}
