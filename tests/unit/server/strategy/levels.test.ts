import { describe, expect, it } from 'vitest';
import { DAY, HOUR } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { createRandom } from '#domain/random.ts';
import { readBundledCandles } from '#server/ports/market-data/bundled.ts';
import { parametersFor } from '#server/strategy/parameters.ts';
import { createStrategy } from '#server/strategy/strategy.ts';
import { bruteLevels } from './brute-levels.ts';

const bundled = readBundledCandles();

describe('levels', () => {
  it('match a simple, slow implementation on 1,000 windows of real candles', () => {
    const random = createRandom(7);
    const pick = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
    let levelsSeen = 0;
    for (let round = 0; round < 1000; round++) {
      const start = pick(0, bundled.length - 400);
      const window = bundled.slice(start, start + pick(60, 320));
      const parameters = {
        ...parametersFor(HOUR),
        reach: pick(1, 14),
        memory: pick(2, 12) * DAY,
        halfLife: pick(1, 30) * DAY,
        tolerance: pick(1, 30) / 10,
      };
      const strategy = createStrategy(parameters);
      const signal = window.map((candle) => strategy.next(candle)).at(-1);
      const { reach, memory, halfLife } = parameters;
      const expected = bruteLevels(window, { reach, memory, halfLife, tolerance: parameters.tolerance * rangeOf(window) });
      levelsSeen += expected.length;
      expect(signal?.levels.map(rounded)).toEqual(expected.map(rounded));
    }
    expect(levelsSeen).toBeGreaterThan(5000);
  });
});

/** Mean true range of the last 24 candles. */
function rangeOf(candles: readonly Candle[]): number {
  const last = candles.slice(-24).map(({ high, low }, index, { length }) => {
    const before = candles[candles.length - length + index - 1]?.close ?? high;
    return Math.max(high - low, Math.abs(high - before), Math.abs(low - before));
  });
  return last.reduce((sum, range) => sum + range, 0) / last.length;
}

/** Allows for sums in another order. */
const rounded = <T extends { price: number; strength: number }>(level: T) => ({
  ...level,
  price: Number(level.price.toFixed(6)),
  strength: Number(level.strength.toFixed(8)),
});
