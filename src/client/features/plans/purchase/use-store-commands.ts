import { useState } from 'react';
import type { Outcome } from '#client/ui/feedback/outcome-note.tsx';
import type { User } from '#contract/account/user.ts';
import type { ProductId } from '#contract/subscription.ts';
import { buySubscription, changeInTestStore, payInTestStore, type TestChange } from './buy.ts';
import { createIdempotencyKeys } from './idempotency-keys.ts';
import { granted, notBought, notChanged } from './outcome.ts';
import { announcePurchase } from './purchase-channel.ts';
import type { Task } from './use-task.ts';

export interface StoreCommands {
  pay(productId: ProductId, outcome: 'paid' | 'declined'): void;
  change(change: TestChange): void;
  restore(): void;
}

interface Options {
  user: User;
  run: Task['run'];
  refresh: () => Promise<unknown>;
  onBought: () => void;
}

/** Returns the commands of the test store, and the restoring of purchases that every store offers. */
export function useStoreCommands({ user, run, refresh, onBought }: Options): StoreCommands {
  const [withIdempotencyKey] = useState(createIdempotencyKeys);
  const { planType: current, appUserId } = user.userSubscription;

  async function pay(productId: ProductId, wish: 'paid' | 'declined'): Promise<Outcome | undefined> {
    if (!appUserId) return notBought(undefined, current);
    try {
      const receipt = await withIdempotencyKey(`${wish} ${productId}`, (key) => payInTestStore(productId, wish, key));
      announcePurchase({ type: 'purchase', productId, appUserId, receipt });
      return undefined;
    } catch (error) {
      return notBought(error, current);
    }
  }

  async function change(wish: TestChange): Promise<Outcome> {
    try {
      const title = await withIdempotencyKey(wish, (key) => changeInTestStore(wish, key));
      await refresh();
      onBought();
      return { tone: 'done', title };
    } catch (error) {
      return notChanged(error);
    }
  }

  async function restore(): Promise<Outcome> {
    if (!appUserId) return notChanged(undefined);
    try {
      // FREE asks for every purchase that the store knows.
      const body = { userId: user.id, planType: 'FREE', appUserId } as const;
      const subscription = await withIdempotencyKey('restore', (key) => buySubscription(body, key));
      await refresh();
      return granted(subscription);
    } catch (error) {
      return notChanged(error);
    }
  }

  return {
    pay: (productId, wish) => void run('pay', () => pay(productId, wish)),
    change: (wish) => void run(wish, () => change(wish)),
    restore: () => void run('restore', restore),
  };
}
