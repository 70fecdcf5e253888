import { call } from '#client/platform/api/call.ts';
import { messageAnswer } from '#contract/envelope.ts';
import {
  type NotificationSettings,
  type NotificationSettingsBody,
  notificationSettingsAnswer,
  telegramLinkAnswer,
  webhookAnswer,
  webhookTestAnswer,
} from '#contract/notifications/settings.ts';

const at = (userId: string, path: string) => `/notification/${encodeURIComponent(userId)}/${path}`;

export const readPreferences = async (userId: string): Promise<NotificationSettings> =>
  (await call(at(userId, 'settings'), { answer: notificationSettingsAnswer })).data;

export async function savePreferences(userId: string, body: NotificationSettingsBody): Promise<void> {
  await call(at(userId, 'settings'), { method: 'PUT', body, answer: messageAnswer });
}

/** Returns the new secret, which no later answer has. */
export const saveWebhook = async (userId: string, url: string): Promise<string> =>
  (await call(at(userId, 'webhook'), { method: 'PUT', body: { url }, answer: webhookAnswer })).data.secret;

/** Returns why the receiver did not take the message, or null. */
export const testWebhook = async (userId: string): Promise<string | null> =>
  (await call(at(userId, 'webhook/test'), { method: 'POST', answer: webhookTestAnswer })).data.failure;

/** Returns a link that connects the user's Telegram chat. */
export const askTelegramLink = async (userId: string): Promise<string> =>
  (await call(at(userId, 'telegram'), { method: 'POST', answer: telegramLinkAnswer })).data.link;

export async function disconnect(userId: string, channel: 'telegram' | 'webhook'): Promise<void> {
  await call(at(userId, channel), { method: 'DELETE', answer: messageAnswer });
}
