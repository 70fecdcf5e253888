import { PLAN_TYPES, type PlanType } from '#contract/subscription.ts';

/** Stands for "without limit" in allowances, as `extraChatAnalysis` does on the wire. */
export const UNLIMITED = -1;

export interface Plan {
  name: string;
  /** USD a month. */
  price: number;
  /** General questions a calendar month (UTC). */
  questions: number;
  /** Chart analyses a calendar month (UTC). */
  chartAnalyses: number;
}

/** The one table of plans (spec §9); every page derives its text from it. */
export const PLANS: Record<PlanType, Plan> = {
  FREE: { name: 'Free', price: 0, questions: 10, chartAnalyses: 3 },
  BASIC: { name: 'Basic', price: 14.99, questions: 30, chartAnalyses: 20 },
  PRO: { name: 'Pro', price: 24.99, questions: 100, chartAnalyses: 40 },
  PREMIUM: { name: 'Premium', price: 49.99, questions: UNLIMITED, chartAnalyses: UNLIMITED },
};

/** 1 Free … 4 Premium (spec §3). */
export const planRank = (plan: PlanType): number => PLAN_TYPES.indexOf(plan) + 1;
