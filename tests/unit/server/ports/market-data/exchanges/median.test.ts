import { expect, test } from 'vitest';
import { median, weightedMedian } from '#server/ports/market-data/exchanges/median.ts';

const entries = (...pairs: [value: number, weight: number][]) => pairs.map(([value, weight]) => ({ value, weight }));

test('the median of an even number of values is between the two in the middle', () => {
  expect(median([9, 1, 3])).toBe(3);
  expect(median([4, 1, 9, 2])).toBe(3);
  expect(median([])).toBeNaN();
});

test('half of the weight is below a weighted median', () => {
  expect(weightedMedian(entries([10, 1], [20, 1], [30, 5]))).toBe(30);
  expect(weightedMedian(entries([30, 2], [10, 5], [20, 1]))).toBe(10);
  expect(weightedMedian(entries([10, 2], [20, 1], [30, 1]))).toBe(15);
  expect(weightedMedian(entries([10, 0], [20, 3], [30, 0]))).toBe(20);
});

test('entries without weight decide nothing', () => {
  expect(weightedMedian(entries([10, 0], [20, 0]))).toBeNaN();
  expect(weightedMedian([])).toBeNaN();
});
