import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { messageAnswer } from '#contract/envelope.ts';
import { notificationsAnswer, readBody } from '#contract/notification.ts';
import { idText } from '#contract/text.ts';
import { identityOf } from '#server/http/authenticate.ts';
import { notFound } from '#server/http/errors.ts';
import type { Notifications } from './service.ts';

const params = z.object({ userId: idText });

/** Registers the user's notifications. */
export function notificationRoutes(scope: FastifyInstance, { notifications }: { notifications: Notifications }): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.get('/notification/:userId', { schema: { params, response: { 200: notificationsAnswer } } }, async (request) => ({
    status: 200,
    data: await notifications.list(ownId(request, request.params.userId)),
  }));

  app.post('/notification/:userId/read', { schema: { params, body: readBody, response: { 200: messageAnswer } } }, async (request) => {
    await notifications.markRead(ownId(request, request.params.userId), request.body.upTo);
    return { status: 200, message: 'Marked as read.' };
  });
}

function ownId(request: FastifyRequest, userId: string): string {
  const own = identityOf(request).userId;
  if (userId !== own) throw notFound();
  return own;
}
