import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { createRandom } from '#domain/random.ts';
import { readBundledCandles } from '#server/ports/market-data/bundled.ts';
import { parametersFor } from '#server/strategy/parameters.ts';
import type { Signal } from '#server/strategy/signal.ts';
import { createStrategy } from '#server/strategy/strategy.ts';

const bundled = readBundledCandles();
const hourly = parametersFor(HOUR);

function signalsOf(candles: readonly Candle[], parameters = hourly): Signal[] {
  const strategy = createStrategy(parameters);
  return candles.map((candle) => strategy.next(candle));
}

describe('the strategy', () => {
  it('gives a candle the same signal whatever follows', () => {
    const random = createRandom(3);
    const whole = signalsOf(bundled.slice(0, 3000));
    for (const known of [700, 1500, 2400]) {
      const future = bundled.slice(known, 3000).map((candle) => {
        const scale = 0.5 + random();
        return {
          ...candle,
          open: candle.open * scale,
          high: candle.high * scale * 1.1,
          low: candle.low * scale,
          close: candle.close * scale,
        };
      });
      expect(signalsOf([...bundled.slice(0, known), ...future]).slice(0, known)).toEqual(whole.slice(0, known));
    }
  });

  it('gives the same signal, to the last bit, from the candles of its window alone', () => {
    const whole = signalsOf(bundled.slice(0, 6000));
    for (const end of [hourly.window, 2111, 3456, 4999, 6000])
      expect(signalsOf(bundled.slice(end - hourly.window, end)).at(-1)).toEqual(whole[end - 1]);
  });

  it('needs its whole window for that', () => {
    const whole = signalsOf(bundled.slice(0, 3000)).at(-1);
    expect(signalsOf(bundled.slice(3000 - hourly.window / 2, 3000)).at(-1)).not.toEqual(whole);
  });

  it('enters only after the warm-up, on both sides, with stop and target on the correct sides', () => {
    const signals = signalsOf(bundled.slice(0, 9000));
    const entries = signals.flatMap(({ entry, candle }, index) => (entry ? [{ entry, candle, index }] : []));
    expect(entries[0]?.index).toBeGreaterThanOrEqual(hourly.warmUp - 1);
    for (const side of ['long', 'short']) expect(entries.filter(({ entry }) => entry.side === side).length).toBeGreaterThan(20);
    for (const setup of ['bounce', 'retest']) expect(entries.filter(({ entry }) => entry.setup === setup).length).toBeGreaterThan(20);
    for (const { entry, candle } of entries) {
      const sign = entry.side === 'long' ? 1 : -1;
      const risk = sign * (candle.close - entry.stop);
      expect(risk).toBeGreaterThan(0);
      expect(sign * (entry.level.price - entry.stop)).toBeGreaterThan(0);
      expect(sign * (entry.target - candle.close)).toBeGreaterThanOrEqual(hourly.leastReward * risk - 1e-6);
    }
  });

  it('finds the same levels on 15-minute candles', () => {
    const quarters = bundled.slice(0, 800).flatMap(({ time, open, high, low, close, volume }) => {
      const at = (index: number) => ({ time: time + index * 15 * MINUTE, volume: volume / 4 });
      const middle = (open + close) / 2;
      return [
        { ...at(0), open, high: Math.max(open, high), low: Math.min(open, middle), close: middle },
        { ...at(1), open: middle, high: middle, low, close: low },
        { ...at(2), open: low, high: middle, low, close: middle },
        { ...at(3), open: middle, high: Math.max(middle, close), low: Math.min(middle, close), close },
      ];
    });
    const pivots = (candles: Candle[], interval: number) =>
      signalsOf(candles, { ...parametersFor(interval), tolerance: 0 })
        .at(-1)
        ?.levels.map(({ price }) => price) ?? [];
    const hours = pivots(bundled.slice(0, 800), HOUR);
    const fine = new Set(pivots(quarters, 15 * MINUTE));
    expect(hours.length).toBeGreaterThan(50);
    const shared = hours.filter((price) => fine.has(price));
    expect(shared.length / hours.length).toBeGreaterThan(0.9);
  });
});
