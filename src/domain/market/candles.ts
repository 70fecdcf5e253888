import { DAY } from '../clock.ts';

/** Prices are in the market's quote currency, the volume in its base currency. */
export interface Candle {
  /** Opening time, ms UTC. */
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/** The prices of a candle. */
export type Bar = Omit<Candle, 'volume'>;

/** Combines shorter candles, oldest first, into days of UTC. The last one may be incomplete. */
export const foldToDays = (candles: readonly Candle[]): Candle[] => foldCandles(candles, DAY);

/** Combines candles, oldest first, into candles of `length` ms at multiples of it. The last one may be incomplete. */
export function foldCandles(candles: readonly Candle[], length: number): Candle[] {
  const folded: Candle[] = [];
  for (const { time, open, high, low, close, volume } of candles) {
    const start = Math.floor(time / length) * length;
    const last = folded.at(-1);
    if (last?.time !== start) {
      folded.push({ time: start, open, high, low, close, volume });
    } else {
      last.high = Math.max(last.high, high);
      last.low = Math.min(last.low, low);
      last.close = close;
      last.volume += volume;
    }
  }
  return folded;
}

/** Returns the valid candles of `length` ms that opened at a multiple of `length` and not after `now`; unique, oldest first. */
export function validCandles(rows: readonly Candle[], length: number, now: number): Candle[] {
  const candles = new Map<number, Candle>();
  for (const { time, open, high, low, close, volume } of rows) {
    const possible = high >= Math.max(open, close) && low <= Math.min(open, close);
    if (time % length === 0 && time <= now && possible && !candles.has(time)) candles.set(time, { time, open, high, low, close, volume });
  }
  return [...candles.values()].sort((a, b) => a.time - b.time);
}
