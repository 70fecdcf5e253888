import { MINUTE } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { PERPETUAL } from '#server/strategy/matching/perpetual.ts';
import type { Stretch } from '#server/strategy/matching/types.ts';

/** Length of the history's candles, ms. Longer candles are built from them. */
export const BASE = 5 * MINUTE;
/** Straight lines of the price path in each candle. */
const LINES = 3;
const LINE = BASE / LINES;

const ticksPerUsd = Math.round(1 / PERPETUAL.priceStep);
const toTick = (price: number) => Math.round(price * ticksPerUsd) / ticksPerUsd;

/**
 * An endless history: played forward, then backward, and so on, so that the price never jumps. Inside a candle the price moves from
 * the open to one extreme, to the other and to the close; a rising candle visits its low first. Both directions have the same path.
 */
export interface Timeline {
  /** Returns the candle of `length` ms that opens at `start`. */
  candle(start: number, length: number): Candle;
  /** Returns the candle that opens at `start`, up to `time`. */
  soFar(start: number, time: number): Candle;
  /** Returns when the history's candle at `time` opened originally, ms. */
  originOf(time: number): number;
  /** Returns the price, USD. */
  priceAt(time: number): number;
  /** Returns the straight lines between two times, cut at both ends. Each has the start time of its whole line. */
  way(from: number, to: number): Stretch[];
}

/** Returns the history's candle at a place of the endless history, and whether it plays backward. */
function playedAt(history: readonly Candle[], place: number): { candle: Candle; backwards: boolean } {
  const both = 2 * history.length;
  const turned = ((place % both) + both) % both;
  const backwards = turned >= history.length;
  const candle = history[backwards ? both - 1 - turned : turned];
  if (!candle) throw new Error('The history is empty.');
  return { candle, backwards };
}

/** @param first time of the history's first candle, ms. */
export function createTimeline(history: readonly Candle[], first: number): Timeline {
  const original = (start: number) => playedAt(history, Math.round((start - first) / BASE));

  function base(start: number): Candle {
    const { candle, backwards } = original(start);
    const { open, close } = candle;
    return backwards ? { ...candle, time: start, open: close, close: open } : { ...candle, time: start };
  }

  /** Returns the start of the history's candle that contains `time`. */
  const baseStart = (time: number): number => first + Math.floor((time - first) / BASE) * BASE;

  /** Returns the prices at the ends of a candle's lines. */
  function corners({ open, high, low, close }: Candle): number[] {
    return close >= open ? [open, low, high, close] : [open, high, low, close];
  }

  const between = (from: number, to: number, share: number): number => toTick(from + (to - from) * share);

  function way(from: number, to: number): Stretch[] {
    const pieces: Stretch[] = [];
    for (let start = baseStart(from); start < to; start += BASE) {
      const points = corners(base(start));
      for (let line = 0; line < LINES; line++) {
        const time = start + line * LINE;
        const [begin = 0, end = 0] = points.slice(line, line + 2);
        const cutFrom = Math.max(from, time);
        const cutTo = Math.min(to, time + LINE);
        if (cutFrom >= cutTo) continue;
        const open = between(begin, end, (cutFrom - time) / LINE);
        const close = between(begin, end, (cutTo - time) / LINE);
        pieces.push({ time, open, high: Math.max(open, close), low: Math.min(open, close), close });
      }
    }
    return pieces;
  }

  function priceAt(time: number): number {
    const start = baseStart(time);
    const line = Math.min(Math.floor((time - start) / LINE), LINES - 1);
    const [begin = 0, end = 0] = corners(base(start)).slice(line, line + 2);
    return between(begin, end, (time - start - line * LINE) / LINE);
  }

  return {
    way,
    priceAt,
    originOf: (time) => original(baseStart(time)).candle.time,

    candle(start, length) {
      const whole = base(start);
      for (let next = start + BASE; next < start + length; next += BASE) {
        const { high, low, close, volume } = base(next);
        whole.high = Math.max(whole.high, high);
        whole.low = Math.min(whole.low, low);
        whole.close = close;
        whole.volume += volume;
      }
      return whole;
    },

    soFar(start, time) {
      const open = priceAt(start);
      const candle = { time: start, open, high: open, low: open, close: priceAt(time), volume: 0 };
      for (const { high, low } of [...way(start, time), { high: candle.close, low: candle.close }]) {
        candle.high = Math.max(candle.high, high);
        candle.low = Math.min(candle.low, low);
      }
      for (let begun = start; begun < time; begun += BASE) candle.volume += base(begun).volume * Math.min((time - begun) / BASE, 1);
      return candle;
    },
  };
}
