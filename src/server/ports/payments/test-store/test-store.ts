import { eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import { productId } from '#contract/subscription.ts';
import type { Clock } from '#domain/clock.ts';
import type { Tx } from '#server/db/open.ts';
import { storeEvents, testStore } from '#server/db/schema/subscriptions.ts';
import { Problem } from '#server/http/errors.ts';
import type { Counter, Payments, StoreState } from '../payments.ts';
import { createReceipts } from './receipts.ts';
import { carriedOn, changed, purchased } from './transitions.ts';

/** Simulated store with its own accounts and no payments. Periods renew as time passes. */
export function createTestStore({ secretsKey, clock }: { secretsKey: string; clock: Clock }): Payments & { counter: Counter } {
  const receipts = createReceipts({ secretsKey, clock });

  async function held(tx: Tx, appUserId: string): Promise<StoreState | null> {
    const [row] = await tx.select().from(testStore).where(eq(testStore.appUserId, appUserId));
    if (!row) return null;
    const nextProduct = row.nextProduct === null ? null : z.parse(productId, row.nextProduct);
    const state = { product: z.parse(productId, row.product), endsAt: row.expiresAt.getTime(), renews: row.renews, nextProduct };
    return carriedOn(state, clock());
  }

  async function enter(tx: Tx, appUserId: string, state: StoreState): Promise<StoreState> {
    const { product, renews, nextProduct } = state;
    const entry = { product, renews, nextProduct, expiresAt: new Date(state.endsAt) };
    await tx
      .insert(testStore)
      .values({ appUserId, ...entry })
      .onConflictDoUpdate({ target: testStore.appUserId, set: entry });
    return state;
  }

  return {
    kind: 'test',
    ask: async (appUserId) => (tx) => held(tx, appUserId),
    counter: {
      sell: receipts.sign,

      async redeem(tx, { appUserId, product }, text) {
        const receipt = await receipts.read(text);
        if (!receipt || receipt.appUserId !== appUserId || receipt.product !== product) {
          throw new Problem(402, 'invalid_receipt', 'The store does not know this purchase.');
        }
        const now = clock();
        const fresh = await tx
          .insert(storeEvents)
          .values({ id: `receipt:${receipt.id}`, createdAt: new Date(now) })
          .onConflictDoNothing()
          .returning({ id: storeEvents.id });
        if (fresh.length === 0) throw new Problem(409, 'receipt_used', 'This purchase was already counted.');
        return enter(tx, appUserId, purchased(await held(tx, appUserId), receipt.product, now));
      },

      async change(tx, appUserId, change) {
        const state = changed(await held(tx, appUserId), change, clock());
        if (!state) throw new Problem(409, 'no_subscription', 'There is no subscription that this could change.');
        return enter(tx, appUserId, state);
      },
    },
  };
}
