import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { Clock } from '#domain/clock.ts';
import { unavailable } from '#server/http/errors.ts';
import { measure } from '#server/metrics/measurements.ts';
import { fetchText } from '#server/ports/fetch-text.ts';
import { inSpan } from '#server/tracing/spans.ts';
import type { Payments, StoreState } from '../payments.ts';
import { customerAnswer, stateOf } from './answer.ts';

/** Timeout of one request, ms. */
const REQUEST_TIMEOUT_MS = 6000;
/** Bytes of an answer: one customer with all purchases. */
const MAX_BYTES = 4_000_000;
/** Number of attempts and the delay between them, ms. */
const TRIES = 2;
const PAUSE = 300;

interface Options {
  key: string;
  baseUrl: string;
  clock: Clock;
  /** Whether sandbox purchases count. */
  sandbox: boolean;
  patience?: number;
}

/** RevenueCat, which asks the app stores. It creates a customer for any unknown id, so an answer alone proves nothing. */
export function createRevenueCat({ key, baseUrl, clock, sandbox, patience = REQUEST_TIMEOUT_MS }: Options): Payments {
  const base = baseUrl.replace(/\/+$/, '');

  /** Returns undefined when a retry might help. */
  async function tried(appUserId: string): Promise<StoreState | null | undefined> {
    const { response, text } = await fetchText(`${base}/v1/subscribers/${encodeURIComponent(appUserId)}`, {
      headers: { authorization: `Bearer ${key}`, accept: 'application/json' },
      patience,
      maxBytes: MAX_BYTES,
    });
    const read = z.safeParse(customerAnswer, JSON.parse(text));
    return response.ok && read.success ? stateOf(read.data, { now: clock(), sandbox }) : undefined;
  }

  return {
    kind: 'revenuecat',
    async ask(appUserId) {
      for (let left = TRIES; left > 0; left--) {
        const state = await inSpan('revenuecat', { kind: 'client' }, () => tried(appUserId)).catch(() => undefined);
        measure('providerCall', { provider: 'revenuecat', outcome: state === undefined ? 'error' : 'ok' });
        if (state !== undefined) return async () => state;
        if (left > 1) await wait(PAUSE);
      }
      throw unavailable('store_unavailable', 'The store cannot be asked at the moment. Please try again in a few minutes.');
    },
  };
}
