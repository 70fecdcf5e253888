import { useEffect, useRef, useState } from 'react';
import { useBusy } from '#client/platform/pwa/busy.ts';
import type { Outcome } from '#client/ui/feedback/outcome-note.tsx';
import type { User } from '#contract/account/user.ts';
import { PRODUCTS, type PurchaseMessage } from '#contract/subscription.ts';
import { buySubscription, UNCONFIRMED_FOR, type Unconfirmed, unconfirmedPurchase } from './buy.ts';
import { isRefusal } from './idempotency-keys.ts';
import { granted, notConfirmed } from './outcome.ts';
import { onPurchase } from './purchase-channel.ts';
import { type StoreCommands, useStoreCommands } from './use-store-commands.ts';
import { type Task, useTask } from './use-task.ts';

export interface PurchaseState extends StoreCommands, Pick<Task, 'busy' | 'dismiss'> {
  outcome: Outcome | undefined;
  /** Confirms again a purchase that the server has not answered. */
  retry: (() => void) | undefined;
}

/**
 * Confirms purchases with the server, one at a time: those the store announces, and one that a reload interrupted.
 * Calls `onBought` after each purchase that went through.
 */
export function usePurchase(user: User, refresh: () => Promise<unknown>, onBought: (message?: PurchaseMessage) => void): PurchaseState {
  const [waiting, setWaiting] = useState<Unconfirmed>();
  /** Announced while another task was running; confirmed next. */
  const queued = useRef<Unconfirmed>(undefined);
  const { planType: current, appUserId } = user.userSubscription;

  const task = useTask(() => {
    const next = queued.current;
    queued.current = undefined;
    if (next) void confirm(next);
  });
  const commands = useStoreCommands({ user, run: task.run, refresh, onBought: () => onBought() });
  useBusy(task.busy !== undefined || waiting !== undefined);

  const confirm = (purchase: Unconfirmed) =>
    task.run('confirm', async () => {
      const { message, key } = purchase;
      const plan = PRODUCTS[message.productId];
      // Without storage, a purchase that a reload interrupts is left to "Restore purchases".
      await unconfirmedPurchase.keep(purchase).catch((error) => console.error('storing a purchase failed', error));
      try {
        const { productId: _, type: __, ...sent } = message;
        const subscription = await buySubscription({ userId: user.id, planType: plan, ...sent }, key);
        unconfirmedPurchase.drop();
        setWaiting(undefined);
        onBought(message);
        await refresh();
        return granted(subscription, plan);
      } catch (error) {
        // Without an answer the purchase may have gone through: only its own key can retry it safely.
        const isFinal = isRefusal(error);
        if (isFinal) unconfirmedPurchase.drop();
        setWaiting(isFinal ? undefined : purchase);
        return notConfirmed(error, current);
      }
    });

  const hear = (message: PurchaseMessage) => {
    if (message.appUserId !== appUserId) return; // another user's purchase
    const purchase = { message, key: crypto.randomUUID(), expiresAt: Date.now() + UNCONFIRMED_FOR };
    if (task.isRunning()) queued.current = purchase;
    else void confirm(purchase);
  };
  const listener = useRef(hear);
  listener.current = hear;

  useEffect(() => onPurchase((message) => listener.current(message)), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each user, for what a reload interrupted
  useEffect(() => {
    void unconfirmedPurchase.read().then((left) => {
      if (left && left.message.appUserId === appUserId) void confirm(left);
    });
  }, [appUserId]);

  return {
    ...commands,
    busy: task.busy,
    outcome: task.outcome,
    dismiss: task.dismiss,
    retry: waiting && (() => void confirm(waiting)),
  };
}
