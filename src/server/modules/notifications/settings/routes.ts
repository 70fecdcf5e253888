import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { messageAnswer } from '#contract/envelope.ts';
import {
  notificationSettingsAnswer,
  notificationSettingsBody,
  telegramLinkAnswer,
  webhookAnswer,
  webhookBody,
  webhookTestAnswer,
} from '#contract/notifications/settings.ts';
import { idText } from '#contract/text.ts';
import { MINUTE } from '#domain/clock.ts';
import { notFound } from '#server/http/errors.ts';
import { ownId } from '../own-id.ts';
import type { NotificationPreferences } from './service.ts';
import type { TelegramChats } from './telegram-chats.ts';

const params = z.object({ userId: idText });
/** Each makes a secret, a message or a code. */
const config = { rateLimit: { max: 20, timeWindow: MINUTE } };

interface Parts {
  preferences: NotificationPreferences;
  /** Undefined without a bot. */
  telegram: TelegramChats | undefined;
}

/** Registers which notifications a user wants by which channel, and the places where channels reach them. */
export function notificationSettingsRoutes(scope: FastifyInstance, { preferences, telegram }: Parts): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.get('/notification/:userId/settings', { schema: { params, response: { 200: notificationSettingsAnswer } } }, async (request) => ({
    status: 200,
    data: await preferences.read(ownId(request, request.params.userId)),
  }));

  app.put(
    '/notification/:userId/settings',
    { schema: { params, body: notificationSettingsBody, response: { 200: messageAnswer } } },
    async (request) => {
      await preferences.save(ownId(request, request.params.userId), request.body);
      return { status: 200, message: 'Saved.' };
    },
  );

  app.put(
    '/notification/:userId/webhook',
    { schema: { params, body: webhookBody, response: { 200: webhookAnswer } }, config },
    async (request) => ({
      status: 200,
      data: { secret: await preferences.setWebhook(ownId(request, request.params.userId), request.body.url) },
    }),
  );

  app.post('/notification/:userId/webhook/test', { schema: { params, response: { 200: webhookTestAnswer } }, config }, async (request) => ({
    status: 200,
    data: { failure: await preferences.testWebhook(ownId(request, request.params.userId)) },
  }));

  app.delete('/notification/:userId/webhook', { schema: { params, response: { 200: messageAnswer } }, config }, async (request) => {
    await preferences.disconnect(ownId(request, request.params.userId), 'webhook');
    return { status: 200, message: 'Removed.' };
  });

  app.post('/notification/:userId/telegram', { schema: { params, response: { 200: telegramLinkAnswer } }, config }, async (request) => {
    const userId = ownId(request, request.params.userId);
    if (!telegram) throw notFound();
    return { status: 200, data: await telegram.link(userId) };
  });

  app.delete('/notification/:userId/telegram', { schema: { params, response: { 200: messageAnswer } }, config }, async (request) => {
    await preferences.disconnect(ownId(request, request.params.userId), 'telegram');
    return { status: 200, message: 'Removed.' };
  });
}
