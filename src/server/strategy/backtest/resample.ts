import { type Candle, foldCandles } from '#domain/market/candles.ts';

/** Joins candles of `from` ms into longer ones of `to` ms, on UTC boundaries. Leaves out a first or last one without all of its parts. */
export function resample(candles: readonly Candle[], { from, to }: { from: number; to: number }): Candle[] {
  const joined = foldCandles(candles, to);
  const [first, last] = [candles[0], candles.at(-1)];
  if (first && first.time % to !== 0) joined.shift();
  if (last && (last.time + from) % to !== 0) joined.pop();
  return joined;
}
