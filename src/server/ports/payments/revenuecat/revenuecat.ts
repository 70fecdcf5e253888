import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { Clock } from '#domain/clock.ts';
import { unavailable } from '#server/http/errors.ts';
import type { Payments, StoreState } from '../payments.ts';
import { customerAnswer, stateOf } from './answer.ts';

/** How long one answer may take, ms. */
const PATIENCE = 6000;
/** How often RevenueCat is asked before giving up, and how long in between, ms. */
const TRIES = 2;
const PAUSE = 300;

interface Options {
  key: string;
  baseUrl: string;
  clock: Clock;
  /** Whether purchases of a store's sandbox count. */
  sandbox: boolean;
  patience?: number;
}

/** RevenueCat, which asks the app stores. It makes up a customer for any id it does not know: an answer alone proves nothing. */
export function createRevenueCat({ key, baseUrl, clock, sandbox, patience = PATIENCE }: Options): Payments {
  const base = baseUrl.replace(/\/+$/, '');

  /** Undefined when another try might help. */
  async function tried(appUserId: string): Promise<StoreState | null | undefined> {
    const response = await fetch(`${base}/v1/subscribers/${encodeURIComponent(appUserId)}`, {
      headers: { authorization: `Bearer ${key}`, accept: 'application/json' },
      // A redirect would carry the key to wherever it leads.
      redirect: 'error',
      signal: AbortSignal.timeout(patience),
    });
    const body: unknown = await response.json();
    const read = z.safeParse(customerAnswer, body);
    return response.ok && read.success ? stateOf(read.data, { now: clock(), sandbox }) : undefined;
  }

  return {
    kind: 'revenuecat',
    async ask(appUserId) {
      for (let left = TRIES; left > 0; left--) {
        const state = await tried(appUserId).catch(() => undefined);
        if (state !== undefined) return async () => state;
        if (left > 1) await wait(PAUSE);
      }
      throw unavailable('store_unavailable', 'The store cannot be asked at the moment. Please try again in a few minutes.');
    },
  };
}
