import type { Clock } from '#domain/clock.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { notFound } from '#server/http/errors.ts';
import type { Payments, StoreState } from '#server/ports/payments/payments.ts';
import type { Notify } from '../notifications/service.ts';
import { planAt } from './current-plan.ts';
import { newsOf } from './plan-change-text.ts';
import { appUserOf, findSubscription, lockCustomer, type SubscriptionRow, saveWord, setTold } from './store.ts';

interface Parts {
  db: Db;
  clock: Clock;
  payments: Payments;
  notify: Notify;
}

/** Saves what the store says about users and notifies them of changes. */
export function createSavedStates({ db, clock, payments, notify }: Parts) {
  /** Stores the store's answer. Lock the customer first. Call the returned function after the commit to notify the user of changes. */
  async function save(tx: Tx, userId: string, state: StoreState | null, askedAt: Date): Promise<() => void> {
    const before = await findSubscription(tx, userId, payments.kind);
    await saveWord(tx, userId, payments.kind, state, askedAt);
    return notifyChange({ clock, payments, notify }, tx, userId, before);
  }

  /** Asks the store and stores its answer. Call it outside a transaction, because it uses the network. */
  async function refresh(userId: string, appUserId: string): Promise<void> {
    const askedAt = new Date(clock());
    const readState = await payments.ask(appUserId);
    const show = await db.transaction(async (tx) => {
      await lockCustomer(tx, userId);
      return save(tx, userId, await readState(tx), askedAt);
    });
    show();
  }

  return { save, refresh };
}

/** Notifies the user once of changes since `before`. The transaction must lock the user. Call the result after the commit. */
export async function notifyChange(
  { clock, payments, notify }: Omit<Parts, 'db'>,
  tx: Tx,
  userId: string,
  before: SubscriptionRow | undefined,
): Promise<() => void> {
  const after = await findSubscription(tx, userId, payments.kind);
  const now = clock();
  const text = newsOf(before, after, now);
  if (text === undefined) return () => undefined;
  await setTold(tx, userId, planAt(after, now));
  return notify(tx, userId, { kind: 'subscription', text, link: '/settings/manage-subscription' });
}

/** Returns the user's id at the store. Throws 404 for a deleted user. */
export async function findCustomer(db: Db, userId: string): Promise<string> {
  const appUserId = await appUserOf(db, userId);
  if (appUserId === undefined) throw notFound();
  return appUserId;
}
