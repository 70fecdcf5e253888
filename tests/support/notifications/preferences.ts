import * as z from 'zod/mini';
import {
  type NotificationSettings,
  type NotificationSettingsBody,
  notificationSettingsAnswer,
  telegramLinkAnswer,
  webhookAnswer,
  webhookTestAnswer,
} from '#contract/notifications/settings.ts';
import type { SignedUp, TestServer } from '../server/server.ts';

/** Returns a user's calls about notification settings, over HTTP. */
export function preferencesOf(server: Pick<TestServer, 'url'>, { user, authorization }: SignedUp) {
  const ask = (method: string, path: string, body?: unknown) =>
    fetch(`${server.url}/api/notification/${user.id}/${path}`, {
      method,
      headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return {
    ask,
    read: async (): Promise<NotificationSettings> => z.parse(notificationSettingsAnswer, await (await ask('GET', 'settings')).json()).data,
    save: (body: Partial<NotificationSettingsBody>) => ask('PUT', 'settings', { choices: {}, quiet: null, time_zone: 'UTC', ...body }),
    setWebhook: async (url: string): Promise<string> =>
      z.parse(webhookAnswer, await (await ask('PUT', 'webhook', { url })).json()).data.secret,
    testWebhook: async (): Promise<string | null> =>
      z.parse(webhookTestAnswer, await (await ask('POST', 'webhook/test')).json()).data.failure,
    telegramLink: async (): Promise<string> => z.parse(telegramLinkAnswer, await (await ask('POST', 'telegram')).json()).data.link,
  };
}
