import { type Indicator, type IndicatorLevel, TIMEFRAMES, type Timeframe } from '#contract/market/indicator.ts';
import { DAY, HOUR, MINUTE } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import type { CandleFeed } from '#server/ports/exchange/exchange.ts';
import { parametersFor } from '#server/strategy/parameters.ts';
import type { Signal } from '#server/strategy/signal.ts';
import { createStrategy } from '#server/strategy/strategy.ts';

const LENGTH_MS: Record<Timeframe, number> = { '15m': 15 * MINUTE, '1h': HOUR, '4h': 4 * HOUR, '1d': DAY };
/** Candles in the answer, including the open one. */
const SHOWN = 300;
/** Weaker levels would clutter the chart. */
const MAX_LEVELS = 16;

export type Indicators = ReturnType<typeof createIndicators>;

/** Computes the strategy's levels and signal for display, once per closed candle for all users. */
export function createIndicators({ feed }: { feed: CandleFeed }) {
  const watches = Object.fromEntries(TIMEFRAMES.map((timeframe) => [timeframe, watchOf(feed, LENGTH_MS[timeframe])])) as Record<
    Timeframe,
    Watch
  >;

  return {
    async of(timeframe: Timeframe): Promise<Indicator> {
      const { open, closed, seen } = await watches[timeframe]();
      const { source, speed } = feed;
      return { timeframe, source, speed, candles: [...closed, open], ...seen };
    },
  };
}

type Watch = ReturnType<typeof createWatch>;

const watchesOf = new WeakMap<CandleFeed, Map<number, Watch>>();

/** Returns the watch of a feed's candles of one length, in ms. All readers share it, because each new candle costs time. */
export function watchOf(feed: CandleFeed, length: number): Watch {
  const watches = watchesOf.get(feed) ?? new Map<number, Watch>();
  watchesOf.set(feed, watches);
  const watch = watches.get(length) ?? createWatch(feed, length);
  watches.set(length, watch);
  return watch;
}

/** Follows the candles of one length. The strategy continues with new candles, or restarts after a long gap. */
function createWatch(feed: CandleFeed, length: number) {
  const parameters = parametersFor(length);
  const kept = Math.max(parameters.window, SHOWN);
  let strategy = createStrategy(parameters);
  let last = Number.NEGATIVE_INFINITY;
  let closed: Candle[] = [];
  let seen: Pick<Indicator, 'levels' | 'signal'> = { levels: [], signal: { action: 'wait', setup: null, stop: null, target: null } };

  return async (): Promise<{ open: Candle; closed: readonly Candle[]; seen: typeof seen }> => {
    const [now] = await feed.candles(length, 1);
    const missing = now ? (now.time - last) / length - 1 : 0;
    const fresh = missing > kept;
    // Includes the open candle, and one that may have closed meanwhile.
    const candles = await feed.candles(length, Math.min(missing, kept) + 2);
    const open = candles.at(-1);
    if (!open) throw new Error('The feed has no candles.');
    const news = candles.filter(({ time }) => time > last && time < open.time);
    if (fresh && news.length > 0) strategy = createStrategy(parameters);
    let signal: Signal | undefined;
    for (const candle of news) signal = strategy.next(candle);
    if (signal) {
      last = signal.candle.time;
      closed = [...(fresh ? [] : closed), ...news].slice(1 - SHOWN);
      seen = { levels: shownLevels(signal), signal: shownSignal(signal) };
    }
    // A concurrent call may have seen one more candle close.
    return { open, closed: closed.filter(({ time }) => time < open.time), seen };
  };
}

/** Returns the strongest levels, lowest price first: support below the last close, resistance above it. */
function shownLevels({ levels, candle }: Signal): IndicatorLevel[] {
  const strongest = [...levels].sort((a, b) => b.strength - a.strength).slice(0, MAX_LEVELS);
  const most = strongest[0]?.strength ?? 1;
  return strongest
    .sort((a, b) => a.price - b.price)
    .map(({ price, touches, strength, lastTouch }) => ({
      kind: price <= candle.close ? 'support' : 'resistance',
      price,
      touches,
      strength: strength / most,
      last_touch: lastTouch,
    }));
}

const shownSignal = ({ entry }: Signal): Indicator['signal'] =>
  entry
    ? { action: entry.side, setup: entry.setup, stop: entry.stop, target: entry.target }
    : { action: 'wait', setup: null, stop: null, target: null };
