import type { Subscription } from '#contract/subscription.ts';
import { PLANS } from '#domain/plans/plans.ts';

/** Returns a text on the rest of the month's allowances; undefined without a limit. */
export function allowanceLeft({ planType, extraQuestions, extraChatAnalysis }: Subscription): string | undefined {
  const plan = PLANS[planType];
  const parts = [part(extraQuestions, plan.questions, 'questions'), part(extraChatAnalysis, plan.chartAnalyses, 'chart analyses')];
  const limited = parts.filter((text) => text !== undefined);
  return limited.length > 0 ? `${limited.join(' · ')} left this month` : undefined;
}

/** A negative `left` means unlimited. After a change of plan, `left` can exceed `all`. */
function part(left: number | undefined, all: number, what: string): string | undefined {
  if (left === undefined || left < 0) return undefined;
  return all >= left ? `${left} of ${all} ${what}` : `${left} ${what}`;
}
