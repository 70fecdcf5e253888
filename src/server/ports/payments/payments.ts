import type { ProductId } from '#contract/subscription.ts';
import type { Tx } from '#server/db/open.ts';
import { unavailable } from '#server/http/errors.ts';

/** A customer's subscription at a store. Times in ms UTC. */
export interface StoreState {
  product: ProductId;
  /** When access ends, including any grace period. */
  endsAt: number;
  renews: boolean;
  /** The next period's product; null for the same. */
  nextProduct: ProductId | null;
}

/** A store's answer about a customer, null when it knows no purchase. Read it in the transaction that stores it. */
export type Told = (tx: Tx) => Promise<StoreState | null>;

/** A store that sells plans. Only its answers grant one. */
export interface Payments {
  readonly kind: 'test' | 'revenuecat';
  /** Asks about a customer. Throws 503 `store_unavailable` when the store does not answer. */
  ask(appUserId: string): Promise<Told>;
  /** Purchases and changes of the test store; absent for real stores. */
  readonly counter?: Counter;
}

export type StoreChange = 'cancel' | 'resume' | 'renew' | 'expire';

/** What native apps and store settings do for real stores. Transactions must lock the user. */
export interface Counter {
  /** Returns a signed single-use receipt for this customer, valid for ten minutes. The purchase happens when it is redeemed. */
  sell(appUserId: string, product: ProductId): Promise<string>;
  /** Redeems a receipt. Throws 402 `invalid_receipt`, or 409 `receipt_used` for a repeated receipt. */
  redeem(tx: Tx, customer: { appUserId: string; product: ProductId | undefined }, receipt: string): Promise<StoreState>;
  /** Throws 409 `no_subscription` when there is nothing to change. */
  change(tx: Tx, appUserId: string, change: StoreChange): Promise<StoreState>;
}

/** Error for a caller that the store does not serve. */
export const storeClosed = () => unavailable('store_unavailable', 'Plans cannot be bought here at the moment.');
