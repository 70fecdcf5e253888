import type { PlanType, Subscription } from '#contract/subscription.ts';
import { type Clock, DAY } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import type { Payments } from '#server/ports/payments/payments.ts';
import { findSubscription, type SubscriptionRow } from './store.ts';

/** How long a plan that renews goes on past its end, ms: the store's word on the new period may come late. */
const LATE_WORD = DAY;

export type Terms = Pick<Subscription, 'activeAutoRenewal' | 'endDate' | 'nextPlan'>;
export type Paid = Pick<SubscriptionRow, 'plan' | 'endsAt' | 'renews' | 'nextPlan'>;

/** The plan at `now`, ms. Once its period has ended it is the one that comes next. */
export function planAt(row: Paid | undefined, now: number): PlanType {
  if (!row) return 'FREE';
  const end = row.endsAt.getTime();
  if (now < end) return row.plan;
  return row.renews && now < end + LATE_WORD ? (row.nextPlan ?? row.plan) : 'FREE';
}

/** Until when a plan runs and what comes after it. The Free plan has no end. */
export function termsAt(row: Paid | undefined, now: number): Terms {
  if (!row || planAt(row, now) === 'FREE') return { activeAutoRenewal: false, endDate: null, nextPlan: null };
  const ended = now >= row.endsAt.getTime();
  const nextPlan = row.renews ? (ended ? null : row.nextPlan) : 'FREE';
  return { activeAutoRenewal: row.renews, endDate: row.endsAt.toISOString(), nextPlan };
}

/** Whether the store has to be asked how it went on. */
export const isDue = (row: Paid | undefined, now: number): boolean => row?.renews === true && row.endsAt.getTime() <= now;

/** Which plan a user is on, by what was last verified with this store. */
export const createPlanOf =
  ({ clock, store }: { clock: Clock; store: Payments['kind'] }) =>
  async (db: Db, userId: string): Promise<PlanType> =>
    planAt(await findSubscription(db, userId, store), clock());
