import { type Clock, MINUTE } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import type { Payments } from '#server/ports/payments/payments.ts';
import type { Notify } from '../notifications/service.ts';
import { isDue, planAt } from './current-plan.ts';
import { findCustomer, notifyChange } from './saved-states.ts';
import { findSubscription, lockCustomer, type SubscriptionRow } from './store.ts';

/** Pause after a failed store request for a user, ms. A request by that user skips it. */
const RETRY_DELAY = MINUTE;

interface Parts {
  db: Db;
  clock: Clock;
  payments: Payments;
  notify: Notify;
  report: (error: unknown) => void;
  /** Asks the store and saves its answer. */
  refresh: (userId: string, appUserId: string) => Promise<void>;
}

/**
 * Updates a subscription whose period has ended: asks the store whether it was renewed and notifies the user. Returns
 * false when the store did not answer.
 */
type Renew = (row: SubscriptionRow, ask?: boolean) => Promise<boolean>;

export function createRenewal({ db, clock, payments, notify, report, refresh }: Parts): Renew {
  const retryAt = new Map<string, number>();

  async function tryRefresh(userId: string, now: number): Promise<boolean> {
    retryAt.set(userId, now + RETRY_DELAY);
    try {
      await refresh(userId, await findCustomer(db, userId));
      retryAt.delete(userId);
      return true;
    } catch (error) {
      report(error);
      return false;
    }
  }

  return async (row, ask = true) => {
    const { userId } = row;
    const now = clock();
    const mayAsk = ask && isDue(row, now) && (retryAt.get(userId) ?? now) <= now;
    const isAnswered = mayAsk ? await tryRefresh(userId, now) : true;
    const show = await db.transaction(async (tx): Promise<() => void> => {
      await lockCustomer(tx, userId);
      const known = await findSubscription(tx, userId, payments.kind);
      // The store may still confirm the renewal during the grace period.
      if (isDue(known, now) && planAt(known, now) !== 'FREE') return () => undefined;
      return notifyChange({ clock, payments, notify }, tx, userId, known);
    });
    show();
    return isAnswered;
  };
}
