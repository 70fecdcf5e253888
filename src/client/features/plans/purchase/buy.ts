import * as z from 'zod/mini';
import { call } from '#client/platform/api/call.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { sealedNote } from '#client/platform/session/sealed-note.ts';
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

/** A purchase the store has made and the server has not confirmed yet, with the key under which it is asked to. */
const unconfirmed = z.object({ message: purchaseMessage, key: z.string(), expiresAt: z.number() });
export type Unconfirmed = z.infer<typeof unconfirmed>;

/** Survives a reload in between; as long as a receipt of the test store does. */
export const unconfirmedPurchase = sealedNote('purchase', unconfirmed);
export const UNCONFIRMED_FOR = 10 * MINUTE;

/** Has the server verify, and keeps the subscription it then grants. Throws as `send`. */
export async function buySubscription(body: BuySubscriptionBody, key: string): Promise<Subscription> {
  const { data } = await call('/buy-subscription', { method: 'POST', body, key, answer: subscriptionAnswer });
  await userDb(body.userId).profile.update(body.userId, { userSubscription: data });
  return data;
}

/** The test store's part: pays, or declines by a refusal. Answers the signed purchase. Throws as `send`. */
export async function payInTestStore(productId: ProductId, outcome: 'paid' | 'declined', key: string): Promise<string> {
  const { data } = await call('/test-store/purchases', { method: 'POST', body: { productId, outcome }, key, answer: testPurchaseAnswer });
  return data.receipt;
}

export type TestChange = z.infer<typeof testChangeBody>['change'];

/** What is done in the settings of the test store; answers its word on it. Throws as `send`. */
export async function changeInTestStore(change: TestChange, key: string): Promise<string> {
  return (await call('/test-store/changes', { method: 'POST', body: { change }, key, answer: testChangeAnswer })).message;
}
