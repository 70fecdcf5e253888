import type { PlanType } from '#contract/plan-types.ts';
import { type BuySubscriptionBody, PRODUCTS, type ProductId, type Subscription } from '#contract/subscription.ts';
import type { Clock } from '#domain/clock.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { notFound, Problem } from '#server/http/errors.ts';
import type { Payments, StoreState } from '#server/ports/payments/payments.ts';
import type { Allowances } from '../allowances/service.ts';
import type { Notify } from '../notifications/service.ts';
import { isDue, planAt, termsAt } from './current-plan.ts';
import { createRenewal } from './renewal.ts';
import { createSavedStates, findCustomer } from './saved-states.ts';
import { type CustomerRow, findCustomerRow, findEnded, isHeard, lockCustomer, setHeard, usersOf } from './store.ts';

export type Subscriptions = ReturnType<typeof createSubscriptions>;

interface Parts {
  db: Db;
  clock: Clock;
  payments: Payments;
  allowances: Pick<Allowances, 'leftOn'>;
  notify: Notify;
  report: (error: unknown) => void;
}

/** Manages users' plans. Only the store's answers change them (docs/decisions.md, Payments). */
export function createSubscriptions(parts: Parts) {
  const { db, clock, payments, allowances } = parts;
  const { save, refresh } = createSavedStates(parts);
  const renew = createRenewal({ ...parts, refresh });

  const findRow = (from: Db, userId: string) => findCustomerRow(from, userId, payments.kind);

  async function toSubscription(from: Db, userId: string, { appUserId, paid }: CustomerRow): Promise<Subscription> {
    const now = clock();
    return { ...(await allowances.leftOn(from, userId, planAt(paid, now))), ...termsAt(paid, now), ...(appUserId && { appUserId }) };
  }

  /** Returns the user's subscription as stored. */
  const of = async (from: Db, userId: string): Promise<Subscription> => toSubscription(from, userId, await findRow(from, userId));

  /** Stores the result of a test-store change. Call the returned function after the commit. */
  async function follow(tx: Tx, userId: string, run: (appUserId: string) => Promise<StoreState>): Promise<() => void> {
    await lockCustomer(tx, userId);
    const state = await run(await customer(userId, tx));
    return save(tx, userId, state, new Date(clock()));
  }

  const customer = (userId: string, from: Db = db) => findCustomer(from, userId);

  return {
    of,
    customer,

    /** Like `of`, but asks the store first when a renewing period has ended. */
    async current(userId: string): Promise<Subscription> {
      const now = clock();
      const row = await findRow(db, userId);
      const { paid } = row;
      const isCurrent = !paid || (!isDue(paid, now) && paid.told === planAt(paid, now));
      if (isCurrent) return toSubscription(db, userId, row);
      await renew(paid);
      return of(db, userId);
    },

    /** Updates all subscriptions whose period has ended. After one failed request it does not ask the store about the rest. */
    async tellEnded(): Promise<void> {
      let answers = true;
      for (const row of await findEnded(db, payments.kind, new Date(clock()))) answers = (await renew(row, answers)) && answers;
    },

    /** Asks the store when there is no receipt. Throws 404 for another user's app user id. */
    async verify(userId: string, { appUserId, receipt }: BuySubscriptionBody): Promise<void> {
      if (appUserId !== (await customer(userId))) throw notFound();
      if (receipt === undefined || !payments.counter) await refresh(userId, appUserId);
    },

    /**
     * Returns the subscription after a purchase, from the store's answer (`verify`) or a test-store receipt. Throws 402 when
     * the store does not confirm `planType`; FREE accepts any plan. Call `show` after the commit.
     */
    async settle(tx: Tx, userId: string, { planType, appUserId, receipt }: BuySubscriptionBody) {
      let show = (): void => undefined;
      if (receipt !== undefined && payments.counter) {
        const { counter } = payments;
        show = await follow(tx, userId, () => counter.redeem(tx, { appUserId, product: productOf(planType) }, receipt));
      }
      const subscription = await of(tx, userId);
      if (planType !== 'FREE' && planType !== subscription.planType && planType !== subscription.nextPlan) {
        throw new Problem(402, 'not_purchased', 'The store does not know of this purchase, so your plan stays as it is.');
      }
      return { subscription, show };
    },

    follow,

    /** Refreshes the customers that a store's event names, once per event. A failed event can be sent again. */
    async hear(eventId: string, appUserIds: readonly string[]): Promise<void> {
      if (await isHeard(db, eventId)) return;
      for (const user of await usersOf(db, appUserIds)) await refresh(user.id, user.appUserId);
      await setHeard(db, eventId, new Date(clock()));
    },
  };
}

const isProduct = (id: string): id is ProductId => id in PRODUCTS;
const productOf = (plan: PlanType): ProductId | undefined =>
  Object.keys(PRODUCTS)
    .filter(isProduct)
    .find((id) => PRODUCTS[id] === plan);
