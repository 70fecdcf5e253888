import { expect, it } from 'vitest';
import { advertisedFigures, monthlyIncome, riskLevel, yearlyEstimates } from '#domain/bots/bot-figures.ts';
import { formatUsd } from '#domain/format/format-number.ts';

it('multiplies the advertised figures by the leverage', () => {
  const { annual, drawdown } = advertisedFigures(15);
  expect([annual, drawdown]).toEqual([76.8, 32.55]);
  expect(monthlyIncome(1000, 15)).toBe(64);
});

it('estimates a year three times from the amount and the leverage', () => {
  expect(yearlyEstimates(1000, 10).map(({ label, profit }) => [label, profit])).toEqual([
    ['Conservative', 27.5],
    ['Average', 55],
    ['Optimistic', 110],
  ]);
});

it('keeps every cent of its factors', () => {
  const { format } = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
  const dollars = (cents: number) => format(Math.floor(cents + 1e-6) / 100);
  for (let amount = 100; amount <= 20_000; amount += 150) {
    expect(formatUsd(monthlyIncome(amount, 15))).toBe(dollars((512 * 15 * amount) / 1200));
    for (let leverage = 5; leverage <= 15; leverage++)
      for (const [index, tenths] of [25, 50, 100].entries())
        expect(formatUsd(yearlyEstimates(amount, leverage)[index]?.profit)).toBe(dollars((tenths * amount * (100 + leverage)) / 1000));
  }
});

it('rates leverages from ten up as high risk', () => {
  expect([5, 9, 10, 15].map(riskLevel)).toEqual(['Medium', 'Medium', 'High', 'High']);
});
