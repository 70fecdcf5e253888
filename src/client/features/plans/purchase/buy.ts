import * as z from 'zod/mini';
import { call } from '#client/platform/api/call.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { sealedNote } from '#client/platform/notes/sealed-note.ts';
import {
  type BuySubscriptionBody,
  type ProductId,
  purchaseMessage,
  type Subscription,
  subscriptionAnswer,
  testChangeAnswer,
  type testChangeBody,
  testPurchaseAnswer,
} from '#contract/subscription.ts';
import { MINUTE } from '#domain/clock.ts';

/** A purchase that the store has made and the server has not confirmed yet. `key`: its idempotency key. */
const unconfirmed = z.object({ message: purchaseMessage, key: z.string(), expiresAt: z.number() });
export type Unconfirmed = z.infer<typeof unconfirmed>;

/** Stored to survive a reload, for as long as the test store's receipts are valid. */
export const unconfirmedPurchase = sealedNote('purchase', unconfirmed);
export const UNCONFIRMED_FOR = 10 * MINUTE;

/** Lets the server verify a purchase, and stores the subscription it grants. Throws like `send`. */
export async function buySubscription(body: BuySubscriptionBody, key: string): Promise<Subscription> {
  const { data } = await call('/buy-subscription', { method: 'POST', body, key, answer: subscriptionAnswer });
  await userDb(body.userId).profile.update(body.userId, { userSubscription: data });
  return data;
}

/** Pays in the test store and returns the signed receipt. Throws like `send`, also for a declined payment. */
export async function payInTestStore(productId: ProductId, outcome: 'paid' | 'declined', key: string): Promise<string> {
  const { data } = await call('/test-store/purchases', { method: 'POST', body: { productId, outcome }, key, answer: testPurchaseAnswer });
  return data.receipt;
}

export type TestChange = z.infer<typeof testChangeBody>['change'];

/** Changes the subscription in the test store and returns its message. Throws like `send`. */
export async function changeInTestStore(change: TestChange, key: string): Promise<string> {
  return (await call('/test-store/changes', { method: 'POST', body: { change }, key, answer: testChangeAnswer })).message;
}
