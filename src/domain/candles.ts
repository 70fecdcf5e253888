import { DAY } from './clock';

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
export function foldToDays(candles: readonly Candle[]): Candle[] {
  const days: Candle[] = [];
  for (const { time, open, high, low, close, volume } of candles) {
    const start = Math.floor(time / DAY) * DAY;
    const day = days.at(-1);
    if (day?.time !== start) {
      days.push({ time: start, open, high, low, close, volume });
    } else {
      day.high = Math.max(day.high, high);
      day.low = Math.min(day.low, low);
      day.close = close;
      day.volume += volume;
    }
  }
  return days;
}
