import { describe, expect, it } from 'vitest';
import { DAY, HOUR } from '#domain/clock.ts';
import { courseFigures, tradeFigures } from '#server/strategy/backtest/figures.ts';
import type { Trade } from '#server/strategy/backtest/trades.ts';

const JANUARY = Date.UTC(2024, 0, 1);

/** Equity at the end of each day of 2024. */
const daily = (...values: number[]) =>
  values.map((equity, index) => ({ at: JANUARY + (index + 1) * DAY, equity, exposed: index % 2 === 0 }));
const figures = (...values: number[]) => courseFigures(daily(...values), { start: 100, from: JANUARY });

describe('figures of an equity curve', () => {
  it('include return, drawdown and its length', () => {
    const told = figures(110, 99, 104.5, 121, 115);
    expect(told.totalReturn).toBeCloseTo(0.15);
    expect(told.maxDrawdown).toBeCloseTo(0.1);
    // From the first day's end to before the fourth's.
    expect(told.longestDrawdown).toBe(2 * DAY);
    expect(told.exposure).toBe(0.6);
    expect(told.worstMonth).toBeCloseTo(0.15);
    expect(told).toMatchObject({ from: JANUARY, to: JANUARY + 5 * DAY, start: 100, end: 115 });
  });

  it('count a drawdown from the start', () => {
    expect(figures(90, 95).maxDrawdown).toBeCloseTo(0.1);
  });

  it('have no annual return for less than 30 days', () => {
    expect(figures(...new Array<number>(29).fill(110))).toMatchObject({ cagr: null, calmar: null });
  });

  it('include the annual return: doubled in a year and a half', () => {
    const days = 549;
    const told = figures(...Array.from({ length: days }, (_, index) => 100 * 2 ** ((index + 1) / days)));
    expect(told.cagr).toBeCloseTo(2 ** (365.25 / days) - 1, 6);
    expect(told.calmar).toBeNull();
    expect(told.sortino).toBeNull();
  });

  it('include daily Sharpe and Sortino: +2% and −1% in turn', () => {
    const values: number[] = [];
    for (let value = 100, day = 0; day < 60; day++) {
      value *= day % 2 === 0 ? 1.02 : 0.99;
      values.push(value);
    }
    const told = figures(...values);
    expect(told.sharpe).toBeCloseTo((0.005 / 0.015) * Math.sqrt(365), 6);
    expect(told.sortino).toBeCloseTo((0.005 / (0.01 * Math.SQRT1_2)) * Math.sqrt(365), 6);
  });

  it('find the worst calendar month, in UTC', () => {
    const values = Array.from({ length: 91 }, (_, day) => (day < 31 ? 120 : day < 60 ? 90 : 99));
    expect(figures(...values).worstMonth).toBeCloseTo(90 / 120 - 1);
  });

  it('count days, not candles: many points a day change nothing', () => {
    const points = daily(102, 101, 103, 102).flatMap((point) => [{ ...point, at: point.at - HOUR, equity: 101.5 }, point]);
    expect(courseFigures(points, { start: 100, from: JANUARY }).sharpe).toBeCloseTo(figures(102, 101, 103, 102).sharpe ?? 0);
  });

  it('are empty without equity', () => {
    expect(() => figures()).toThrow('There is no equity to tell figures of.');
  });
});

describe('figures of trades', () => {
  const trades = (...pnls: number[]) => pnls.map((pnl) => ({ pnl }) as Trade);

  it('include the win rate and the profit factor', () => {
    expect(tradeFigures(trades(30, -10, -5, 15))).toEqual({ trades: 4, winRate: 0.5, profitFactor: 3 });
  });

  it('leave out what cannot be computed', () => {
    expect(tradeFigures([])).toEqual({ trades: 0, winRate: null, profitFactor: null });
    expect(tradeFigures(trades(5))).toEqual({ trades: 1, winRate: 1, profitFactor: null });
  });
});
