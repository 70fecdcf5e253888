import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { messageAnswer } from '#contract/envelope.ts';
import { pushKeyAnswer, renewBody, subscribeBody } from '#contract/push.ts';
import { MINUTE } from '#domain/clock.ts';
import { identityOf } from '#server/http/authenticate.ts';
import type { Push } from './service.ts';

const changes = { rateLimit: { max: 60, timeWindow: MINUTE } };

/** Registers the push messages of this session's browser. */
export function pushRoutes(scope: FastifyInstance, { push }: { push: Push }): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.get('/push/key', { schema: { response: { 200: pushKeyAnswer } } }, async () => ({ status: 200, data: { key: await push.key() } }));

  app.post(
    '/push/subscriptions',
    { schema: { body: subscribeBody, response: { 200: messageAnswer } }, config: changes },
    async (request) => {
      await push.subscribe(identityOf(request), request.body);
      return { status: 200, message: 'This device gets notifications.' };
    },
  );

  app.delete('/push/subscriptions', { schema: { response: { 200: messageAnswer } }, config: changes }, async (request) => {
    await push.unsubscribe(identityOf(request));
    return { status: 200, message: 'This device gets no notifications.' };
  });

  app.post(
    '/push/subscriptions/renew',
    { schema: { body: renewBody, response: { 200: messageAnswer } }, config: { public: true, ...changes } },
    async (request) => {
      await push.renew(request.body);
      return { status: 200, message: 'The subscription is replaced.' };
    },
  );
}
