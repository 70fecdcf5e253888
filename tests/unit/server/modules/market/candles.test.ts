import { expect, test } from 'vitest';
import { DAY, HOUR } from '#domain/clock.ts';
import { wholeDays } from '#server/modules/market/candles.ts';

const MONDAY = Date.UTC(2026, 4, 11);

test('folds hours into UTC days and leaves out an incomplete last day', () => {
  const hour = (index: number, price: number) => ({
    time: MONDAY + index * HOUR,
    open: price,
    high: price + 2,
    low: price - 3,
    close: price + 1,
    volume: 1.5,
  });
  const hours = [hour(0, 10), hour(5, 20), hour(23, 15), hour(24, 30)];
  const monday = { time: MONDAY, open: 10, high: 22, low: 7, close: 16, volume: 4.5 };
  expect(wholeDays(hours)).toEqual([monday]);
  expect(wholeDays([...hours, hour(47, 40)])).toEqual([monday, { time: MONDAY + DAY, open: 30, high: 42, low: 27, close: 41, volume: 3 }]);
  expect(wholeDays([])).toEqual([]);
});
