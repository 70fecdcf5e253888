import { DAY } from '../clock.ts';

/** One bar of trading. Prices are in the market's quote currency, the volume in its base currency. */
export interface Candle {
  /** When it opened, ms UTC. */
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/** Candles of less than a day, oldest first, as days of UTC; the last one may not be over yet. */
export const foldToDays = (candles: readonly Candle[]): Candle[] => foldCandles(candles, DAY);

/** Candles, oldest first, as longer ones of `length` ms that begin at whole multiples of it; the last one may not be over yet. */
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
