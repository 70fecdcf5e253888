import { expect, it } from 'vitest';
import { createRandom } from '#domain/random.ts';
import { bootstrapMean } from '#server/strategy/backtest/bootstrap.ts';

it('finds the interval of a mean as theory does', () => {
  const random = createRandom(3);
  const values = Array.from({ length: 400 }, () => random() - 0.4);
  const found = bootstrapMean(values, 1);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  const half = (1.96 * deviation) / Math.sqrt(values.length);
  expect(found?.mean).toBeCloseTo(mean, 12);
  expect(found?.low).toBeCloseTo(mean - half, 2);
  expect(found?.high).toBeCloseTo(mean + half, 2);
});

it('repeats itself under a seed', () => {
  const random = createRandom(4);
  const values = Array.from({ length: 50 }, () => random());
  expect(bootstrapMean(values, 7)).toEqual(bootstrapMean(values, 7));
  expect(bootstrapMean(values, 7)).not.toEqual(bootstrapMean(values, 8));
});

it('has no interval without values, and no width without variance', () => {
  expect(bootstrapMean([], 1)).toBeNull();
  expect(bootstrapMean([2, 2, 2], 1)).toEqual({ mean: 2, low: 2, high: 2 });
});
