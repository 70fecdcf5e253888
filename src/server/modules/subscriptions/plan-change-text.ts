import type { PlanType } from '#contract/plan-types.ts';
import { PLANS } from '#domain/plans/plans.ts';
import { formatDay } from '#domain/plans/renewal.ts';
import { type Paid, planAt } from './current-plan.ts';

/** The plan that the user was last notified of, and its terms at that time. */
type Known = Paid & { told: PlanType };

/** Returns one sentence about what changed for the user; undefined when nothing did. `now` in ms. */
export function newsOf(before: Known | undefined, after: Paid | undefined, now: number): string | undefined {
  const was = before?.told ?? 'FREE';
  const is = planAt(after, now);
  const { name } = PLANS[is];
  if (was !== is)
    return is === 'FREE' ? `Your ${PLANS[was].name} plan has ended. You are on the Free plan.` : `You are on the ${name} plan now.`;
  if (!before || !after || is === 'FREE') return undefined;
  const end = formatDay(after.endsAt.getTime());
  if (after.endsAt > before.endsAt) return `Your ${name} plan was renewed until ${end}.`;
  if (before.renews && !after.renews) return `Your ${name} plan does not renew. You have it until ${end}.`;
  if (after.nextPlan && after.nextPlan !== before.nextPlan) return `Your ${name} plan becomes ${PLANS[after.nextPlan].name} on ${end}.`;
  if (before.renews !== after.renews || before.nextPlan !== after.nextPlan) return `Your ${name} plan renews on ${end}.`;
  return undefined;
}
