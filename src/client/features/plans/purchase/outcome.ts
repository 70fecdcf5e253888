import { ApiError, errorMessage } from '#client/platform/api/errors.ts';
import type { Outcome } from '#client/ui/feedback/outcome-note.tsx';
import type { PlanType } from '#contract/plan-types.ts';
import type { Subscription } from '#contract/subscription.ts';
import { PLANS } from '#domain/plans/plans.ts';
import { nextLine } from '#domain/plans/renewal.ts';

/** Compares the plan granted with the plan bought, if one was. Restored purchases have none. */
export function granted(subscription: Subscription, bought?: PlanType): Outcome {
  const { planType, nextPlan } = subscription;
  const detail = nextLine(subscription);
  if (bought === undefined || bought === planType) return { tone: 'done', title: `You are on ${PLANS[planType].name}.`, detail };
  if (bought === nextPlan) return { tone: 'done', title: `${PLANS[bought].name} comes next.`, detail };
  return {
    tone: 'pending',
    title: 'The store has not confirmed the payment yet.',
    detail: `You are on ${PLANS[planType].name} until it does. You don't need to pay again. Restore your purchases later.`,
  };
}

/** Describes a purchase that the store refused or did not answer. Nothing was bought. */
export const notBought = (error: unknown, current: PlanType): Outcome => ({
  tone: 'failed',
  title: error instanceof ApiError ? error.message : 'The store could not be reached.',
  detail: `You stay on ${PLANS[current].name} and nothing was charged. You can try again anytime.`,
});

/** Describes a purchase that the server refused or did not confirm. */
export function notConfirmed(error: unknown, current: PlanType): Outcome {
  const safe = `You stay on ${PLANS[current].name} for now. If the store charged you, your payment is safe:`;
  if (error instanceof ApiError)
    return { tone: 'failed', title: error.message, detail: `${safe} restore your purchases, or write to support.` };
  return {
    tone: 'failed',
    title: 'The purchase could not be confirmed.',
    detail: `${errorMessage(error)} ${safe} try again, you won't be charged twice.`,
  };
}

/** Describes a failed change of the subscription. */
export const notChanged = (error: unknown): Outcome => ({
  tone: 'failed',
  title: errorMessage(error),
  detail: 'Your subscription has not changed.',
});
