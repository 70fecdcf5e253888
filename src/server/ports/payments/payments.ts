import type { ProductId } from '#contract/subscription.ts';
import type { Tx } from '#server/db/open.ts';
import { unavailable } from '#server/http/errors.ts';

/** What a customer holds at a store. Times in ms UTC. */
export interface StoreState {
  product: ProductId;
  /** When access ends, any grace period included. */
  endsAt: number;
  renews: boolean;
  /** The product that the next period is for; null for the same. */
  nextProduct: ProductId | null;
}

/** What a store has said of a customer, null for nothing. It is read in the transaction that writes it down. */
export type Told = (tx: Tx) => Promise<StoreState | null>;

/** Where plans are paid for. Nothing but its word grants one. */
export interface Payments {
  readonly kind: 'test' | 'revenuecat';
  /** Asks about a customer; throws 503 `store_unavailable` when there is no answer. */
  ask(appUserId: string): Promise<Told>;
  /** The counter of a store that is only played; real ones have none. */
  readonly counter?: Counter;
}

export type StoreChange = 'cancel' | 'resume' | 'renew' | 'expire';

/** The test store's part that a native shell or a store's settings have elsewhere. Transactions must hold the user. */
export interface Counter {
  /** A signed receipt for a product, good once, for this customer and for ten minutes. Nothing is bought until it is redeemed. */
  sell(appUserId: string, product: ProductId): Promise<string>;
  /** Enters a receipt into the books. Throws 402 `invalid_receipt`, and 409 `receipt_used` for one that was redeemed before. */
  redeem(tx: Tx, customer: { appUserId: string; product: ProductId | undefined }, receipt: string): Promise<StoreState>;
  /** Throws 409 `no_subscription` where there is nothing to change. */
  change(tx: Tx, appUserId: string, change: StoreChange): Promise<StoreState>;
}

/** The refusal of a store that sells nothing to this caller. */
export const storeClosed = () => unavailable('store_unavailable', 'Plans cannot be bought here at the moment.');
