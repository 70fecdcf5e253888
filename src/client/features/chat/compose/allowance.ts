import type { Subscription } from '#contract/subscription.ts';
import { PLANS } from '#domain/plans/plans.ts';

/** What is left of the month's allowances, or nothing where there is no limit. */
export function allowanceLeft({ planType, extraQuestions, extraChatAnalysis }: Subscription): string | undefined {
  const plan = PLANS[planType];
  const parts = [part(extraQuestions, plan.questions, 'questions'), part(extraChatAnalysis, plan.chartAnalyses, 'chart analyses')];
  const limited = parts.filter((text) => text !== undefined);
  return limited.length > 0 ? `${limited.join(' · ')} left this month` : undefined;
}

/** Negative: without limit. An allowance may have been larger than the plan's, before the plan changed. */
function part(left: number | undefined, all: number, what: string): string | undefined {
  if (left === undefined || left < 0) return undefined;
  return all >= left ? `${left} of ${all} ${what}` : `${left} ${what}`;
}
