import { randomBytes, randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { NOTIFICATION_SETTINGS_PAGE } from '#contract/notifications/pages.ts';
import { type NotificationSettings, type NotificationSettingsBody, WEBHOOK_MESSAGES } from '#contract/notifications/settings.ts';
import type { Clock } from '#domain/clock.ts';
import { isTimeZone } from '#domain/notifications/time-zone.ts';
import { shownName } from '#domain/shown-name.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Db } from '#server/db/open.ts';
import { destinations, notificationSettings } from '#server/db/schema/deliveries.ts';
import { users } from '#server/db/schema/users.ts';
import { badRequest, notFound } from '#server/http/errors.ts';
import type { Channel, Destination } from '#server/ports/channels/channel.ts';
import { webhookSecret } from '#server/ports/channels/webhook.ts';
import { targetUrl } from '#server/ports/outgoing/target-url.ts';
import { withDeadline } from '#server/with-deadline.ts';
import type { Notify } from '../service.ts';
import { countBrowsers, deleteDestinations, findDestination, findSettings, reachedOf } from './store.ts';

/** Time limit of a test message, ms. */
const TEST_PATIENCE = 10_000;

/** Seals secrets, each for one destination. */
export interface SecretSafe {
  seal(id: string, secret: string): Buffer;
  open(id: string, sealed: Buffer): string | undefined;
}

interface Parts {
  db: Db;
  clock: Clock;
  notify: Notify;
  safe: SecretSafe;
  webhook: Channel;
  hasTelegram: boolean;
  /** Origins that may be private or without TLS. */
  trusted: readonly string[];
}

export interface NotificationPreferences {
  read(userId: string): Promise<NotificationSettings>;
  /** Throws 400 for an unknown time zone. */
  save(userId: string, body: NotificationSettingsBody): Promise<void>;
  /** Sends notifications to an address. Returns the new secret. Throws 400 for an address that is none. */
  setWebhook(userId: string, url: string): Promise<string>;
  /** Sends a test message. Returns why it failed, or null. Throws 404 without a webhook. */
  testWebhook(userId: string): Promise<string | null>;
  /** Sends nothing to a user's destination any more. */
  disconnect(userId: string, channel: 'webhook' | 'telegram'): Promise<void>;
}

const link = NOTIFICATION_SETTINGS_PAGE;

/** The notice that the places where notifications go have changed. */
export const changedNotice = (text: string) =>
  ({ kind: 'security', text: `${text} If this was not you, set a new password.`, link, urgent: true }) as const;

export function createPreferences(parts: Parts): NotificationPreferences {
  const { db, clock, notify, safe, webhook, hasTelegram, trusted } = parts;

  async function read(userId: string): Promise<NotificationSettings> {
    const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId));
    if (!user) throw notFound();
    const settings = await findSettings(db, userId);
    const hook = await findDestination(db, userId, 'webhook');
    const chat = await findDestination(db, userId, 'telegram');
    const { quietFrom: from = null, quietTo: to = null } = settings ?? {};
    return {
      choices: settings?.choices ?? {},
      quiet: from === null || to === null ? null : { from, to },
      time_zone: settings?.timeZone ?? 'UTC',
      email: user.email,
      has_telegram: hasTelegram,
      telegram: chat ? await reachedOf(db, chat, String(chat.details.name ?? '')) : null,
      webhook: hook ? await reachedOf(db, hook, new URL(hook.address).host) : null,
      browsers: await countBrowsers(db, userId),
    };
  }

  return {
    read,

    async save(userId, { choices, quiet, time_zone: timeZone }) {
      if (!isTimeZone(timeZone)) throw badRequest('unknown_time_zone', 'This time zone is unknown.');
      const row = { choices, quietFrom: quiet?.from ?? null, quietTo: quiet?.to ?? null, timeZone };
      await db
        .insert(notificationSettings)
        .values({ userId, ...row })
        .onConflictDoUpdate({ target: notificationSettings.userId, set: row });
    },

    async setWebhook(userId, text) {
      const url = targetUrl(text, trusted);
      if (!url) throw badRequest('bad_address', WEBHOOK_MESSAGES.notAllowed);
      const id = randomUUID();
      const secret = webhookSecret(randomBytes(32));
      const show = await db.transaction(async (tx) => {
        // One change at a time, so that one webhook is left.
        await lockUser(tx, userId);
        await deleteDestinations(tx, userId, 'webhook');
        // Before the new one is stored, because the notice must not go to an intruder alone.
        const show = await notify(
          tx,
          userId,
          changedNotice(`Notifications now also go to the webhook at ${shownName(url.host) || 'a new address'}.`),
        );
        await tx
          .insert(destinations)
          .values({ id, userId, channel: 'webhook', address: url.href, sealed: safe.seal(id, secret), createdAt: new Date(clock()) });
        return show;
      });
      show();
      return secret;
    },

    testWebhook: createWebhookTest({ db, clock, webhook }),

    async disconnect(userId, channel) {
      const name = channel === 'webhook' ? 'your webhook' : 'Telegram';
      const show = await db.transaction(async (tx) =>
        (await deleteDestinations(tx, userId, channel))
          ? notify(tx, userId, changedNotice(`Notifications no longer go to ${name}.`))
          : undefined,
      );
      show?.();
    },
  };
}

/** Creates what sends a test message. It returns why that failed, or null. */
function createWebhookTest({ db, clock, webhook }: Pick<Parts, 'db' | 'clock' | 'webhook'>) {
  return async (userId: string): Promise<string | null> => {
    const destination = await findDestination(db, userId, 'webhook');
    if (!destination) throw notFound();
    const outcome = await withDeadline(TEST_PATIENCE, undefined, (signal) =>
      webhook.send(testMessage(userId, destination, new Date(clock())), signal),
    ).catch((error: unknown) => ({ outcome: 'retry' as const, reason: failureOf(error) }));
    if (outcome.outcome !== 'sent') return outcome.reason;
    // A receiver that works again gets notifications again.
    await db.update(destinations).set({ endedAt: null, failures: 0 }).where(eq(destinations.id, destination.id));
    return null;
  };
}

const failureOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return `The receiver does not answer${code}`;
};

const testMessage = (userId: string, destination: Destination, createdAt: Date) => ({
  id: randomUUID(),
  receipt: '',
  userId,
  notificationId: randomUUID(),
  kind: 'support' as const,
  urgent: false,
  text: 'This is a test message.',
  link,
  createdAt,
  count: 1,
  destination,
});
