import { expect, test } from 'vitest';
import { leftOf, limitOf, monthOf } from '#domain/plans/allowance.ts';
import { PLANS, UNLIMITED } from '#domain/plans/plans.ts';

test('a month begins and ends in UTC', () => {
  expect(monthOf(Date.UTC(2026, 1, 28, 23, 59, 59, 999))).toBe('2026-02');
  expect(monthOf(Date.UTC(2026, 2, 1))).toBe('2026-03');
});

test('limits depend on the plan', () => {
  const limits = Object.values(PLANS).map((plan) => [limitOf(plan, 'question'), limitOf(plan, 'chart')]);
  expect(limits).toEqual([
    [10, 3],
    [30, 20],
    [100, 40],
    [UNLIMITED, UNLIMITED],
  ]);
});

test('the rest is never negative, and unlimited without a limit', () => {
  expect([leftOf(10, 0), leftOf(10, 9), leftOf(10, 10), leftOf(3, 5), leftOf(UNLIMITED, 500)]).toEqual([10, 1, 0, 0, UNLIMITED]);
});
