import { PLAN_TYPES, type PlanType } from '#contract/plan-types.ts';

/** Means "no limit", as `extraChatAnalysis` does on the wire. */
export const UNLIMITED = -1;

export interface Plan {
  name: string;
  /** USD per month. */
  price: number;
  /** General questions per calendar month (UTC). */
  questions: number;
  /** Chart analyses per calendar month (UTC). */
  chartAnalyses: number;
}

/** Prices and limits of all plans. Every page derives its text from this table. */
export const PLANS: Record<PlanType, Plan> = {
  FREE: { name: 'Free', price: 0, questions: 10, chartAnalyses: 3 },
  BASIC: { name: 'Basic', price: 14.99, questions: 30, chartAnalyses: 20 },
  PRO: { name: 'Pro', price: 24.99, questions: 100, chartAnalyses: 40 },
  PREMIUM: { name: 'Premium', price: 49.99, questions: UNLIMITED, chartAnalyses: UNLIMITED },
};

/** Returns 1 for Free to 4 for Premium. */
export const planRank = (plan: PlanType): number => PLAN_TYPES.indexOf(plan) + 1;
