import { type BuySubscriptionBody, type PlanType, PRODUCTS, type ProductId, type Subscription } from '#contract/subscription.ts';
import { type Clock, MINUTE } from '#domain/clock.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { notFound, Problem } from '#server/http/errors.ts';
import type { Payments, StoreState } from '#server/ports/payments/payments.ts';
import type { Allowances } from '../allowances/service.ts';
import type { Notify } from '../notifications/service.ts';
import { isDue, planAt, termsAt } from './current-plan.ts';
import { newsOf } from './plan-change-text.ts';
import {
  appUserOf,
  findEnded,
  findSubscription,
  isHeard,
  lockCustomer,
  type SubscriptionRow,
  saveWord,
  setHeard,
  setTold,
  usersOf,
} from './store.ts';

/** A store that gave no answer about somebody is left alone for as long as this, ms, unless they ask for it. */
const REST = MINUTE;

export type Subscriptions = ReturnType<typeof createSubscriptions>;

interface Parts {
  db: Db;
  clock: Clock;
  payments: Payments;
  allowances: Pick<Allowances, 'leftOf'>;
  notify: Notify;
  report: (error: unknown) => void;
}

/** Who is on which plan. Only the store's word changes it (docs/decisions.md, Payments). */
export function createSubscriptions({ db, clock, payments, allowances, notify, report }: Parts) {
  const resting = new Map<string, number>();

  /** The user's subscription as it was last written down. */
  async function of(from: Db, userId: string): Promise<Subscription> {
    const row = await findSubscription(from, userId, payments.kind);
    const appUserId = await appUserOf(from, userId);
    return { ...(await allowances.leftOf(from, userId)), ...termsAt(row, clock()), ...(appUserId && { appUserId }) };
  }

  /** Writes down a store's word. To be called once that is committed, the returned function shows the user what it changes. */
  async function write(tx: Tx, userId: string, state: StoreState | null, askedAt: Date): Promise<() => void> {
    const before = await findSubscription(tx, userId, payments.kind);
    await saveWord(tx, userId, payments.kind, state, askedAt);
    return tell(tx, userId, before);
  }

  /** Tells the user what is not as it was `before`, once. The transaction must hold the user; what it returns is due after it. */
  async function tell(tx: Tx, userId: string, before: SubscriptionRow | undefined): Promise<() => void> {
    const after = await findSubscription(tx, userId, payments.kind);
    const now = clock();
    const text = newsOf(before, after, now);
    if (text === undefined) return () => undefined;
    await setTold(tx, userId, planAt(after, now));
    return notify(tx, userId, { kind: 'subscription', text, link: '/settings/manage-subscription' });
  }

  /**
   * Brings a subscription whose period has ended up to now: by asking the store where it was to be renewed, and telling
   * the user. Resolves to false when the store gave no answer.
   */
  async function carryOn(row: SubscriptionRow, ask = true): Promise<boolean> {
    const { userId } = row;
    const now = clock();
    let answered = true;
    if (ask && isDue(row, now) && (resting.get(userId) ?? now) <= now) {
      resting.set(userId, now + REST);
      try {
        await refresh(userId, await customer(userId));
        resting.delete(userId);
      } catch (error) {
        report(error);
        answered = false;
      }
    }
    const show = await db.transaction(async (tx): Promise<() => void> => {
      await lockCustomer(tx, userId);
      const known = await findSubscription(tx, userId, payments.kind);
      // How it goes on is for the store to say, for as long as its word may come late.
      if (isDue(known, now) && planAt(known, now) !== 'FREE') return () => undefined;
      return tell(tx, userId, known);
    });
    show();
    return answered;
  }

  /** Asks the store and writes down what it says. Asks the network, so it is no part of a transaction. */
  async function refresh(userId: string, appUserId: string): Promise<void> {
    const askedAt = new Date(clock());
    const told = await payments.ask(appUserId);
    const show = await db.transaction(async (tx) => {
      await lockCustomer(tx, userId);
      return write(tx, userId, await told(tx), askedAt);
    });
    show();
  }

  /** Writes down what the test store's counter has just done. The returned function is due once that is committed. */
  async function follow(tx: Tx, userId: string, run: (appUserId: string) => Promise<StoreState>): Promise<() => void> {
    await lockCustomer(tx, userId);
    const state = await run(await customer(userId, tx));
    return write(tx, userId, state, new Date(clock()));
  }

  /** The id under which the store knows the user; 404 for a user who is gone. */
  async function customer(userId: string, from: Db = db): Promise<string> {
    const appUserId = await appUserOf(from, userId);
    if (appUserId === undefined) throw notFound();
    return appUserId;
  }

  return {
    of,
    customer,

    /** The same as `of`; where a period has ended that was to be renewed, the store is asked first. */
    async current(userId: string): Promise<Subscription> {
      const now = clock();
      const row = await findSubscription(db, userId, payments.kind);
      if (row && (isDue(row, now) || row.told !== planAt(row, now))) await carryOn(row);
      return of(db, userId);
    },

    /** Carries on with everybody whose period has ended, whether they look or not. A store that is silent is not asked about the rest. */
    async tellEnded(): Promise<void> {
      let answers = true;
      for (const row of await findEnded(db, payments.kind, new Date(clock()))) answers = (await carryOn(row, answers)) && answers;
    },

    /** Asks the store itself, where there is no receipt to go by. 404 for anybody's app user id but the user's own. */
    async verify(userId: string, { appUserId, receipt }: BuySubscriptionBody): Promise<void> {
      if (appUserId !== (await customer(userId))) throw notFound();
      if (receipt === undefined || !payments.counter) await refresh(userId, appUserId);
    },

    /**
     * The subscription after a purchase: what the store said when asked (`verify`), or by its receipt at the test store.
     * Throws 402 when that is not the plan that was asked for; FREE asks for whatever there is.
     * `show` is due once it is committed.
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

    /** Asks again about the customers that a store's event names, once for each event; one that fails may come again. */
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
