/** Ascending. `domain/plans` numbers and describes them. */
export const PLAN_TYPES = ['FREE', 'BASIC', 'PRO', 'PREMIUM'] as const;
export type PlanType = (typeof PLAN_TYPES)[number];
