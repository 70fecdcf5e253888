import { expect, it } from 'vitest';
import { advertisedFigures, monthlyIncome, riskLevel, yearlyEstimates } from '../../../src/domain/bot-figures';

it('multiplies what is advertised by the leverage (spec §9)', () => {
  const { annual, drawdown } = advertisedFigures(15);
  expect(annual).toBeCloseTo(76.8);
  expect(drawdown).toBeCloseTo(32.55);
  expect(monthlyIncome(1000, 15)).toBeCloseTo(64);
});

it('guesses a year three times from the amount and the leverage (spec §9)', () => {
  expect(yearlyEstimates(1000, 10).map(({ label, profit }) => [label, Number(profit.toFixed(2))])).toEqual([
    ['Conservative', 27.5],
    ['Average', 55],
    ['Optimistic', 110],
  ]);
});

it('calls leverages from ten up a high risk', () => {
  expect([5, 9, 10, 15].map(riskLevel)).toEqual(['Medium', 'Medium', 'High', 'High']);
});
