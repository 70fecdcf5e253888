import type { PlanType } from '#contract/plan-types.ts';
import type { Subscription } from '#contract/subscription.ts';
import { type Clock, DAY } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import type { Payments } from '#server/ports/payments/payments.ts';
import { findSubscription, type SubscriptionRow } from './store.ts';

/** Grace period of a renewing plan after its end, ms, because the store may confirm the renewal late. */
const LATE_WORD = DAY;

export type Terms = Pick<Subscription, 'activeAutoRenewal' | 'endDate' | 'nextPlan'>;
export type Paid = Pick<SubscriptionRow, 'plan' | 'endsAt' | 'renews' | 'nextPlan'>;

/** Returns the plan at `now`, ms: after the period's end, the next plan. */
export function planAt(row: Paid | undefined, now: number): PlanType {
  if (!row) return 'FREE';
  const end = row.endsAt.getTime();
  if (now < end) return row.plan;
  return row.renews && now < end + LATE_WORD ? (row.nextPlan ?? row.plan) : 'FREE';
}

/** Returns a plan's end and its successor. The Free plan has no end. */
export function termsAt(row: Paid | undefined, now: number): Terms {
  if (!row || planAt(row, now) === 'FREE') return { activeAutoRenewal: false, endDate: null, nextPlan: null };
  const ended = now >= row.endsAt.getTime();
  const nextPlan = row.renews ? (ended ? null : row.nextPlan) : 'FREE';
  return { activeAutoRenewal: row.renews, endDate: row.endsAt.toISOString(), nextPlan };
}

/** Returns whether to ask the store if the plan was renewed. */
export const isDue = (row: Paid | undefined, now: number): boolean => row?.renews === true && row.endsAt.getTime() <= now;

/** Returns a function that reads a user's plan as last verified with this store. */
export const createPlanOf =
  ({ clock, store }: { clock: Clock; store: Payments['kind'] }) =>
  async (db: Db, userId: string): Promise<PlanType> =>
    planAt(await findSubscription(db, userId, store), clock());
