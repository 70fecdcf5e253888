import { describe, expect, it } from 'vitest';
import { DAY } from '#domain/clock.ts';
import { drawEquity } from '#server/strategy/backtest/equity-svg.ts';

/** Returns the labels of the grid lines for a curve through these values. */
const axisOf = (...values: number[]): string[] => {
  const equity = values.map((usd, index) => ({ at: index * DAY, equity: usd, exposed: true }));
  const svg = drawEquity([{ name: 'Course', color: '#000', equity }], 'Equity');
  return [...svg.matchAll(/text-anchor="end">([\d,.]+)</g)].map(([, text = '']) => text);
};

describe('the equity chart', () => {
  it('labels its grid with round values over any range', () => {
    expect(axisOf(1000, 9000)).toEqual(['1,000', '2,000', '5,000']);
    expect(axisOf(600, 40_000)).toEqual(['1,000', '2,000', '5,000', '10,000', '20,000']);
  });

  it('labels its grid even if equity hardly moved', () => {
    expect(axisOf(1290, 1310)).toEqual(['1,250', '1,300', '1,350']);
    expect(axisOf(917, 1018)).toEqual(['900', '950', '1,000', '1,050']);
    expect(axisOf(1, 1)).toEqual(['0.96', '0.98', '1', '1.02', '1.04']);
  });
});
