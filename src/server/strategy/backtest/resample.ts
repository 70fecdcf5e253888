import type { Candle } from '#domain/market/candles.ts';

/** Joins candles of `from` ms into longer ones of `to` ms, on UTC boundaries. A first or last candle without all of its parts is left out. */
export function resample(candles: readonly Candle[], { from, to }: { from: number; to: number }): Candle[] {
  if (from === to) return [...candles];
  const joined: Candle[] = [];
  for (const { time, high, low, close, open, volume } of candles) {
    const start = Math.floor(time / to) * to;
    const last = joined.at(-1);
    if (last?.time === start) {
      last.high = Math.max(last.high, high);
      last.low = Math.min(last.low, low);
      last.close = close;
      last.volume += volume;
    } else if (last || time === start) joined.push({ time: start, open, high, low, close, volume });
  }
  const end = (candles.at(-1)?.time ?? 0) + from;
  return end % to === 0 ? joined : joined.slice(0, -1);
}
