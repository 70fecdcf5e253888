import * as z from 'zod/mini';
import type { Candle } from '#domain/market/candles.ts';

const price = z.pipe(z.string(), z.transform(Number)).check(z.positive());
const volume = z.pipe(z.string(), z.transform(Number)).check(z.nonnegative());
const time = z.pipe(z.string().check(z.regex(/^\d{1,15}$/)), z.transform(Number));

/** Newest first; the newest may still be open. The rest of a row is its turnover. */
export const klines = z.object({ list: z.array(z.tuple([time, price, price, price, price, volume], z.unknown())) });

/** Returns the valid candles of `length` ms that opened at a multiple of `length` and not after `now`; unique, oldest first. */
export function readKlines({ list }: z.output<typeof klines>, length: number, now: number): Candle[] {
  const candles = new Map<number, Candle>();
  for (const [begin, open, high, low, close, traded] of list) {
    const possible = high >= Math.max(open, close) && low <= Math.min(open, close);
    if (begin % length === 0 && begin <= now && possible && !candles.has(begin))
      candles.set(begin, { time: begin, open, high, low, close, volume: traded });
  }
  return [...candles.values()].sort((a, b) => a.time - b.time);
}

/** Fills gaps with candles at the last close. */
export function unbroken(candles: readonly Candle[], length: number): Candle[] {
  const whole: Candle[] = [];
  for (const candle of candles) {
    for (let last = whole.at(-1); last && last.time + length < candle.time; last = whole.at(-1)) {
      const { close } = last;
      whole.push({ time: last.time + length, open: close, high: close, low: close, close, volume: 0 });
    }
    whole.push(candle);
  }
  return whole;
}
