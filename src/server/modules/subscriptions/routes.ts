import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { buySubscriptionBody, subscriptionAnswer } from '#contract/subscription.ts';
import { MINUTE } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { identityOf } from '#server/http/authenticate.ts';
import { notFound } from '#server/http/errors.ts';
import { withIdempotencyKey } from '#server/http/idempotency.ts';
import { limitBy } from '#server/http/rate-limits.ts';
import type { Subscriptions } from './service.ts';

/** Rate limit, because each request may call the store. */
const PURCHASES = { name: 'purchases', max: 60, timeWindow: 10 * MINUTE };

/** Reports a purchase, which the server verifies with the store. Without a receipt, it restores existing purchases. */
export function subscriptionRoutes(scope: FastifyInstance, { db, subscriptions }: { db: Db; subscriptions: Subscriptions }): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const limitPurchases = limitBy(app, PURCHASES, (request) => identityOf(request).userId);

  app.post(
    '/buy-subscription',
    { schema: { body: buySubscriptionBody, response: { 200: subscriptionAnswer } }, preHandler: limitPurchases },
    async (request) => {
      const { userId } = identityOf(request);
      if (request.body.userId !== userId) throw notFound();
      await subscriptions.verify(userId, request.body);
      let show = (): void => undefined;
      const answer = await withIdempotencyKey(db, request, async (tx) => {
        const settled = await subscriptions.settle(tx, userId, request.body);
        show = settled.show;
        return { status: 200, body: { status: 200, data: settled.subscription } };
      });
      show();
      return z.parse(subscriptionAnswer, answer.body);
    },
  );
}
