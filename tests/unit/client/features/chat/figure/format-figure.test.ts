import { expect, it } from 'vitest';
import { formatDifference, formatFigure, formatMoment } from '#client/features/chat/figure/format-figure.ts';

it.each([
  [1_912_345_678.9, 'USD', '$1,912,345,678.90'],
  [0.012345, 'BTC', '₿0.012345'],
  [-1.314, 'percent', '-1.31%'],
  [3, 'rank', '#3'],
  [0.456, 'ratio', '0.46'],
  [21_000_000, 'coins', '21,000,000'],
] as const)('%d %s is %s', (value, unit, shown) => {
  expect(formatFigure(value, unit)).toBe(shown);
});

it.each([
  [100, 120.5, 'USD', '+$20.50 (+20.50%)'],
  [100, 99, 'USD', '-$1.00 (-1.00%)'],
  [100, 100.001, 'USD', 'No difference'],
  [-50, 30, 'USD', '+$80.00'],
  [0, 5, 'USD', '+$5.00'],
  [1.3, 1.1, 'percent', '-0.2 percentage points'],
  [3, 5, 'rank', '+2'],
  [0.4, 0.5, 'ratio', '+0.1'],
] as const)('from %d to %d %s is %s', (before, now, unit, shown) => {
  expect(formatDifference(before, now, unit)).toBe(shown);
});

it('shows a time in UTC, and one that cannot be read as it is', () => {
  expect(formatMoment('2026-05-13T09:30:00.000Z')).toBe('13 May 2026, 09:30 UTC');
  expect(formatMoment('soon')).toBe('soon');
});
