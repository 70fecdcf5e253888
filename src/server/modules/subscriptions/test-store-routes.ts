import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { testChangeAnswer, testChangeBody, testPurchaseAnswer, testPurchaseBody } from '#contract/subscription.ts';
import { MINUTE } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { identityOf } from '#server/http/authenticate.ts';
import { Problem } from '#server/http/errors.ts';
import { withIdempotencyKey } from '#server/http/idempotency.ts';
import { limitBy } from '#server/http/rate-limits.ts';
import { isFromThisMachine } from '#server/http/this-machine.ts';
import { type Counter, storeClosed } from '#server/ports/payments/payments.ts';
import type { Subscriptions } from './service.ts';

const CALLS = { name: 'test store', max: 120, timeWindow: 10 * MINUTE };

const DONE = {
  cancel: 'The subscription ends with the period that is paid for.',
  resume: 'The subscription renews again.',
  renew: 'The period has ended, and the next one is paid for.',
  expire: 'The period has ended and was not paid again.',
} as const;

/** Simulates what a store's own app does. Registered only when the test store is open. */
export function testStoreRoutes(
  scope: FastifyInstance,
  { db, counter, subscriptions }: { db: Db; counter: Counter; subscriptions: Subscriptions },
): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const limitCalls = limitBy(app, CALLS, (request) => identityOf(request).userId);

  app.post(
    '/test-store/purchases',
    {
      schema: { body: testPurchaseBody, response: { 200: testPurchaseAnswer } },
      onRequest: demandThisMachine,
      preHandler: limitCalls,
    },
    async (request) => {
      const { productId, outcome } = request.body;
      if (outcome === 'declined') throw new Problem(402, 'declined', 'The payment was declined. Nothing was bought.');
      const receipt = await counter.sell(await subscriptions.customer(identityOf(request).userId), productId);
      return { status: 200, data: { receipt } };
    },
  );

  app.post(
    '/test-store/changes',
    { schema: { body: testChangeBody, response: { 200: testChangeAnswer } }, onRequest: demandThisMachine, preHandler: limitCalls },
    async (request) => {
      const { userId } = identityOf(request);
      const { change } = request.body;
      let show = (): void => undefined;
      const answer = await withIdempotencyKey(db, request, async (tx) => {
        show = await subscriptions.follow(tx, userId, (appUserId) => counter.change(tx, appUserId, change));
        return { status: 200, body: { status: 200, message: DONE[change] } };
      });
      show();
      return z.parse(testChangeAnswer, answer.body);
    },
  );
}

/** Rejects requests from other machines, because the test store gives plans away. */
async function demandThisMachine(request: FastifyRequest): Promise<void> {
  if (!isFromThisMachine(request)) throw storeClosed();
}
