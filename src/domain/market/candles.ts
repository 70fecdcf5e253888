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
