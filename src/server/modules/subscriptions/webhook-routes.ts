import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { messageAnswer } from '#contract/envelope.ts';
import { atMost, listOf, notEmpty } from '#contract/text.ts';
import { unauthorized } from '#server/http/errors.ts';
import type { Subscriptions } from './service.ts';

const id = z.string().check(atMost(128), notEmpty());
const ids = z.optional(z.array(id).check(listOf(100)));
/** Only the customer ids are read. Purchases in the event are ignored, because the server asks the store itself. */
const webhookBody = z.object({
  event: z.object({
    id,
    app_user_id: z.optional(id),
    original_app_user_id: z.optional(id),
    aliases: ids,
    transferred_from: ids,
    transferred_to: ids,
  }),
});

/** Receives RevenueCat events, authenticated by the operator's secret in `Authorization`. */
export function webhookRoutes(
  scope: FastifyInstance,
  { subscriptions, secret }: { subscriptions: Subscriptions; secret: string | undefined },
): void {
  scope.withTypeProvider<ZodTypeProvider>().post(
    '/webhooks/revenuecat',
    {
      schema: { body: webhookBody, response: { 200: messageAnswer } },
      config: { public: true },
      // Runs before the body is read.
      onRequest: async (request) => {
        if (!secret || !isSecret(request.headers.authorization ?? '', secret)) throw unauthorized('The webhook needs its secret.');
      },
    },
    async ({ body: { event } }) => {
      const { app_user_id, original_app_user_id, aliases = [], transferred_from = [], transferred_to = [] } = event;
      const named = [app_user_id, original_app_user_id, ...aliases, ...transferred_from, ...transferred_to];
      await subscriptions.hear(`revenuecat:${event.id}`, [...new Set(named.filter((name) => name !== undefined))]);
      return { status: 200, message: 'Heard.' };
    },
  );
}

/** Compares digests in constant time. `Bearer` before the secret is optional. */
function isSecret(given: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given.replace(/^Bearer /i, '')), digest(secret.replace(/^Bearer /i, '')));
}
