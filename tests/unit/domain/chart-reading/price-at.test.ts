import { expect, it } from 'vitest';
import { priceAt } from '#domain/chart-reading/price-at.ts';

it.each([
  [{ y: 100, price: 96_400, perPixel: -43.2 }, 60, 98_130],
  [{ y: 100, price: 96_400, perPixel: -430 }, 60, 113_600],
  [{ y: 10, price: 1.35, perPixel: -0.0021 }, 12, 1.346],
  [{ y: 0, price: 0.0000124, perPixel: -0.000000004 }, 50, 0.0000122],
  [{ y: 0, price: 250, perPixel: -1 }, 3.4, 247],
])('tells no more than a pixel does (%#)', (axis, row, price) => {
  expect(priceAt(axis, row)).toBe(price);
});
