import { useEffect, useRef, useState } from 'react';
import { ApiError } from '#client/platform/api/errors.ts';
import { useBusy } from '#client/platform/pwa/busy.ts';
import type { Outcome } from '#client/ui/feedback/outcome-note.tsx';
import type { User } from '#contract/account/account.ts';
import { PRODUCTS, type ProductId, type PurchaseMessage } from '#contract/subscription.ts';
import {
  buySubscription,
  changeInTestStore,
  payInTestStore,
  type TestChange,
  UNCONFIRMED_FOR,
  type Unconfirmed,
  unconfirmedPurchase,
} from './buy.ts';
import { granted, notBought, notChanged, notConfirmed } from './outcome.ts';
import { onPurchase, tellOfPurchase } from './purchase-channel.ts';

export interface PurchaseState {
  /** What is under way, if anything is: nothing else is begun until it has ended. */
  busy: 'pay' | 'confirm' | 'restore' | TestChange | undefined;
  outcome: Outcome | undefined;
  /** Asks the server once more about a purchase it did not answer for. */
  retry: (() => void) | undefined;
  pay(productId: ProductId, outcome: 'paid' | 'declined'): void;
  change(change: TestChange): void;
  restore(): void;
  dismiss(): void;
}

/** A refusal that stands. Anything else may have been done all the same. */
const isAnswer = (error: unknown): boolean => error instanceof ApiError && error.status < 500;

/**
 * Everything that moves a plan, one at a time: purchases told of by the channel, those left unconfirmed by a reload,
 * and what the test store does in the native app's place. `onBought` hears of each purchase that went through.
 */
export function usePurchase(user: User, refresh: () => Promise<unknown>, onBought: (message?: PurchaseMessage) => void): PurchaseState {
  const [busy, setBusy] = useState<PurchaseState['busy']>();
  const [outcome, setOutcome] = useState<Outcome>();
  const [waiting, setWaiting] = useState<Unconfirmed>();
  /** Two presses come before React has drawn the first. */
  const running = useRef(false);
  /** Told of while something else was under way; its turn comes next. */
  const told = useRef<Unconfirmed>(undefined);
  /** What got no answer is asked again under the key it had. */
  const keys = useRef(new Map<string, string>());
  useBusy(busy !== undefined || waiting !== undefined);
  const { planType: current, appUserId } = user.userSubscription;

  async function run(what: PurchaseState['busy'], work: () => Promise<Outcome | undefined>) {
    if (running.current) return;
    running.current = true;
    setBusy(what);
    setOutcome(undefined);
    try {
      setOutcome(await work());
    } finally {
      running.current = false;
      setBusy(undefined);
      const next = told.current;
      told.current = undefined;
      if (next) void confirm(next);
    }
  }

  async function once<Answer>(what: string, ask: (key: string) => Promise<Answer>): Promise<Answer> {
    const key = keys.current.get(what) ?? crypto.randomUUID();
    keys.current.set(what, key);
    try {
      const answer = await ask(key);
      keys.current.delete(what);
      return answer;
    } catch (error) {
      if (isAnswer(error)) keys.current.delete(what);
      throw error;
    }
  }

  const confirm = (purchase: Unconfirmed) =>
    run('confirm', async () => {
      const { message, key } = purchase;
      const plan = PRODUCTS[message.productId];
      // Where nothing can be kept, a reload in between leaves it to restoring.
      await unconfirmedPurchase.keep(purchase).catch((error) => console.error('keeping a purchase failed', error));
      try {
        const { productId: _, type: __, ...sent } = message;
        const subscription = await buySubscription({ userId: user.id, planType: plan, ...sent }, key);
        unconfirmedPurchase.drop();
        setWaiting(undefined);
        onBought(message);
        await refresh();
        return granted(subscription, plan);
      } catch (error) {
        // Whoever was answered asks anew, under another key; without an answer it may have been done.
        const answered = isAnswer(error);
        if (answered) unconfirmedPurchase.drop();
        setWaiting(answered ? undefined : purchase);
        return notConfirmed(error, current);
      }
    });

  const hear = (message: PurchaseMessage) => {
    if (message.appUserId !== appUserId) return; // somebody else's purchase
    const purchase = { message, key: crypto.randomUUID(), expiresAt: Date.now() + UNCONFIRMED_FOR };
    if (running.current) told.current = purchase;
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
    busy,
    outcome,
    retry: waiting && (() => void confirm(waiting)),
    pay: (productId, wish) =>
      void run('pay', async () => {
        if (!appUserId) return notBought(undefined, current);
        try {
          const receipt = await once(`${wish} ${productId}`, (key) => payInTestStore(productId, wish, key));
          tellOfPurchase({ type: 'purchase', productId, appUserId, receipt });
          return undefined;
        } catch (error) {
          return notBought(error, current);
        }
      }),
    change: (wish) =>
      void run(wish, async () => {
        try {
          const title = await once(wish, (key) => changeInTestStore(wish, key));
          await refresh();
          onBought();
          return { tone: 'done', title };
        } catch (error) {
          return notChanged(error);
        }
      }),
    restore: () =>
      void run('restore', async () => {
        if (!appUserId) return notChanged(undefined);
        try {
          // FREE asks for whatever the store knows of.
          const subscription = await once('restore', (key) => buySubscription({ userId: user.id, planType: 'FREE', appUserId }, key));
          await refresh();
          return granted(subscription);
        } catch (error) {
          return notChanged(error);
        }
      }),
    dismiss: () => setOutcome(undefined),
  };
}
