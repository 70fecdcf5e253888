import { describe, expect, it } from 'vitest';
import { thin } from '#server/strategy/backtest/thin.ts';

describe('a curve in fewer points', () => {
  const curve = (length: number) => Array.from({ length }, (_, index) => index);

  it.each([0, 1, 2, 9, 10])('does not change if %d points are few enough', (length) => {
    expect(thin(curve(length), 11)).toEqual(curve(length));
  });

  it.each([11, 12, 19, 100, 12_345])('keeps its ends and at most 10 of %d', (length) => {
    const few = thin(curve(length), 10);
    expect([few[0], few.at(-1)]).toEqual([0, length - 1]);
    expect(few.length).toBeLessThanOrEqual(10);
    expect(few.length).toBeGreaterThan(5);
  });

  it('spreads points evenly', () => {
    expect(thin(curve(100), 10)).toEqual([0, 12, 24, 36, 48, 60, 72, 84, 96, 99]);
  });
});
