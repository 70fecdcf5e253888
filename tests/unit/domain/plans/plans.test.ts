import { describe, expect, it } from 'vitest';
import type { PlanType } from '#contract/plan-types.ts';
import { PLANS, planRank } from '#domain/plans/plans.ts';

describe('plans', () => {
  it('are priced, limited and ordered as specified', () => {
    expect(
      Object.entries(PLANS).map(([type, plan]) => [planRank(type as PlanType), plan.name, plan.price, plan.questions, plan.chartAnalyses]),
    ).toEqual([
      [1, 'Free', 0, 10, 3],
      [2, 'Basic', 14.99, 30, 20],
      [3, 'Pro', 24.99, 100, 40],
      [4, 'Premium', 49.99, -1, -1],
    ]);
  });
});
