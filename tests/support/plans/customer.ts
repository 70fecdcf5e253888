import { type User, userAnswer } from '#contract/account/user.ts';
import { PRODUCTS, type ProductId, subscriptionAnswer, testPurchaseAnswer } from '#contract/subscription.ts';
import type { SignedUp, TestServer } from '../server/server.ts';

/** A user who buys at the test store. */
export interface Customer {
  who: SignedUp;
  appUserId: string;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Returns an unredeemed receipt for a product. */
  receipt(productId: ProductId): Promise<string>;
  /** Posts a purchase, genuine or forged, to the server. */
  claim(body: Record<string, unknown>, headers?: Record<string, string>): Promise<Response>;
  /** Buys and redeems a product. Returns the subscription afterwards. */
  buy(productId: ProductId): Promise<User['userSubscription']>;
  /** Returns the subscription that the profile shows. */
  subscription(): Promise<User['userSubscription']>;
}

export async function customerOf(server: TestServer, known?: SignedUp): Promise<Customer> {
  const who = known ?? (await server.signUp());
  const userId = who.user.id;
  const appUserId = who.user.userSubscription.appUserId ?? '';
  const post: Customer['post'] = (path, body, headers = {}) => server.post(path, body, { authorization: who.authorization, ...headers });
  const claim: Customer['claim'] = (body, headers) => post('/buy-subscription', { userId, appUserId, ...body }, headers);
  async function receipt(productId: ProductId): Promise<string> {
    const answer = await post('/test-store/purchases', { productId, outcome: 'paid' });
    return testPurchaseAnswer.parse(await answer.json()).data.receipt;
  }
  return {
    who,
    appUserId,
    post,
    receipt,
    claim,
    async buy(productId) {
      const answer = await claim({ planType: PRODUCTS[productId], receipt: await receipt(productId) });
      return subscriptionAnswer.parse(await answer.json()).data;
    },
    async subscription() {
      const answer = await fetch(`${server.url}/api/auth/user/${userId}/`, { headers: { authorization: who.authorization } });
      return userAnswer.parse(await answer.json()).data.userSubscription;
    },
  };
}
