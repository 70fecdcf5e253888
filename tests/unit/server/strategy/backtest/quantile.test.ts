import { expect, it } from 'vitest';
import { median, quantile } from '#server/strategy/backtest/quantile.ts';

it('interpolates between the two nearest values, in any order', () => {
  expect([0, 0.25, 0.5, 0.9, 1].map((share) => quantile([5, 1, 3, 2, 4], share))).toEqual([1, 2, 3, 4.6, 5]);
  expect(median([4, 1])).toBe(2.5);
  expect(quantile([], 0.5)).toBeNaN();
});
