import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { alertAnswer, alertsAnswer, firingsAnswer } from '#contract/alerts/alert.ts';
import { pauseAlertBody, putAlertBody } from '#contract/alerts/alert-form.ts';
import { uuid } from '#contract/chat/archive.ts';
import { messageAnswer } from '#contract/envelope.ts';
import { idText } from '#contract/text.ts';
import type { Db } from '#server/db/open.ts';
import { identityOf } from '#server/http/authenticate.ts';
import { notFound } from '#server/http/errors.ts';
import { withIdempotencyKey } from '#server/http/idempotency.ts';
import type { Alerts } from './service.ts';

const ownerParams = z.object({ userId: idText });
/** In lower case, as the database has them. */
const alertParams = z.object({
  userId: idText,
  id: z.pipe(
    uuid,
    z.transform((id) => id.toLowerCase()),
  ),
});

/** Registers listing, creating, changing, pausing and deleting price alerts, and their history. */
export function alertRoutes(scope: FastifyInstance, { db, alerts }: { db: Db; alerts: Alerts }): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.get('/alerts/:userId', { schema: { params: ownerParams, response: { 200: alertsAnswer } } }, async (request) => ({
    status: 200,
    data: await alerts.list(ownId(request, request.params.userId)),
  }));

  app.get('/alerts/:userId/history', { schema: { params: ownerParams, response: { 200: firingsAnswer } } }, async (request) => ({
    status: 200,
    data: await alerts.history(ownId(request, request.params.userId)),
  }));

  app.put(
    '/alerts/:userId/:id',
    { schema: { params: alertParams, body: putAlertBody, response: { 200: alertAnswer } } },
    async (request) => {
      const userId = ownId(request, request.params.userId);
      const alert = await alerts.identify(request.body.alert);
      const answer = await withIdempotencyKey(db, request, async (tx) => ({
        status: 200,
        body: { status: 200, data: await alerts.put(tx, userId, request.params.id, { ...request.body, alert }) },
      }));
      return z.parse(alertAnswer, answer.body);
    },
  );

  app.post(
    '/alerts/:userId/:id/pause',
    { schema: { params: alertParams, body: pauseAlertBody, response: { 200: messageAnswer } } },
    async (request) => {
      const userId = ownId(request, request.params.userId);
      const { paused } = request.body;
      const answer = await withIdempotencyKey(db, request, async (tx) => {
        await alerts.pause(tx, userId, request.params.id, paused);
        return { status: 200, body: { status: 200, message: paused ? 'The alert is paused.' : 'The alert is on.' } };
      });
      return z.parse(messageAnswer, answer.body);
    },
  );

  app.delete('/alerts/:userId/:id', { schema: { params: alertParams, response: { 200: messageAnswer } } }, async (request) => {
    const userId = ownId(request, request.params.userId);
    const answer = await withIdempotencyKey(db, request, async (tx) => {
      await alerts.remove(tx, userId, request.params.id);
      return { status: 200, body: { status: 200, message: 'The alert is deleted.' } };
    });
    return z.parse(messageAnswer, answer.body);
  });
}

function ownId(request: FastifyRequest, userId: string): string {
  const own = identityOf(request).userId;
  if (userId !== own) throw notFound();
  return own;
}
