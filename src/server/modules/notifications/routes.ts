import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { messageAnswer } from '#contract/envelope.ts';
import { notificationsAnswer, readBody } from '#contract/notification.ts';
import { receiptBody } from '#contract/notifications/receipt.ts';
import { idText } from '#contract/text.ts';
import { MINUTE } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import type { CountClock } from '#server/db/windows.ts';
import { notFound } from '#server/http/errors.ts';
import { acknowledge } from './deliveries/receipts.ts';
import { ownId } from './own-id.ts';
import type { Notifications } from './service.ts';

const params = z.object({ userId: idText });

/** Receipts of one network: those of many devices behind one address. */
const RECEIPT_LIMIT = { max: 120, timeWindow: MINUTE };

interface Parts {
  db: Db;
  countClock: CountClock;
  notifications: Notifications;
}

/** Registers the user's notifications. */
export function notificationRoutes(scope: FastifyInstance, { db, countClock, notifications }: Parts): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.get('/notification/:userId', { schema: { params, response: { 200: notificationsAnswer } } }, async (request) => ({
    status: 200,
    data: await notifications.list(ownId(request, request.params.userId)),
  }));

  app.post('/notification/:userId/read', { schema: { params, body: readBody, response: { 200: messageAnswer } } }, async (request) => {
    await notifications.markRead(ownId(request, request.params.userId), request.body.upTo);
    return { status: 200, message: 'Marked as read.' };
  });

  app.post(
    '/notification/receipt',
    { schema: { body: receiptBody, response: { 200: messageAnswer } }, config: { public: true, rateLimit: RECEIPT_LIMIT } },
    async (request) => {
      if (!(await acknowledge(db, countClock, request.body))) throw notFound();
      return { status: 200, message: 'Acknowledged.' };
    },
  );
}
