import { setTimeout as sleep } from 'node:timers/promises';
import { and, count, inArray, isNull } from 'drizzle-orm';
import webPush from 'web-push';
import * as z from 'zod/mini';
import { HIDDEN_AMOUNTS } from '#domain/bots/bot-amounts.ts';
import { type Clock, DAY, HOUR, SECOND } from '#domain/clock.ts';
import { createBatcher } from '#server/batcher.ts';
import type { Db } from '#server/db/open.ts';
import { notifications } from '#server/db/schema/notifications.ts';
import { sessions } from '#server/db/schema/sessions.ts';
import { createSlots } from '#server/slots.ts';
import { createConnections, postTo } from '../outgoing/post.ts';
import { targetUrl } from '../outgoing/target-url.ts';
import { declarativePush, topicOf } from '../push/push-message.ts';
import { createVapidSigner, type VapidKeys } from '../push/vapid.ts';
import { retryAfter } from '../retry-after.ts';
import type { Channel, Message, Outcome } from './channel.ts';
import { httpOutcome, refusePrivate } from './http-outcome.ts';

/** A claim of many messages costs the database hardly more than one of few. */
const AT_ONCE = 192;
/** Time between two messages, ms: 10,000 take less than a minute, and for most of it the processor is for others. */
const PACE = 3;

/** How long a service keeps a message for a device that is off, ms: a price is old after hours, a lost stop is not. */
const LIFETIME: Record<Message['kind'], number> = { alert: 6 * HOUR, bot: DAY, security: 3 * DAY, support: 3 * DAY, subscription: 3 * DAY };

/** Whether a service may wait until the device is awake or charging (RFC 8030). */
const urgencyOf = ({ kind, urgent }: Message): string => {
  if (urgent || kind === 'alert') return 'high';
  return kind === 'subscription' ? 'low' : 'normal';
};

const browser = z.object({ p256dh: z.string(), auth: z.string(), session: z.string(), hidesAmounts: z.optional(z.boolean()) });

interface Parts {
  db: Db;
  clock: Clock;
  /** Origins that may be private or without TLS. */
  trusted: readonly string[];
  keys: () => Promise<VapidKeys>;
  subject: string;
  publicUrl: string;
}

/** Creates the channel that sends to browsers by their push services, encrypted for the browser alone (RFC 8030, 8291, 8292). */
export function createPushChannel({ db, clock, trusted, keys, subject, publicUrl }: Parts): Channel & { close(): void } {
  const sign = createVapidSigner({ keys, subject });
  const connections = createConnections(2 * AT_ONCE);
  const inTurn = createSlots(1);
  const situationOf = createBatcher((asked: readonly Asked[]) => situationsOf(db, asked));

  async function send(message: Message, signal: AbortSignal, waits?: () => void): Promise<Outcome> {
    const { destination, notificationId: tag } = message;
    const { p256dh, auth, session, hidesAmounts } = z.parse(browser, destination?.details);
    const url = targetUrl(destination?.address ?? '', trusted);
    if (!url) return { outcome: 'gone', reason: 'nothing may be sent to this address' };
    const { unread, isOpen } = await situationOf({ userId: message.userId, session });
    if (!isOpen) return { outcome: 'gone', reason: 'the session has ended' };
    const authorization = await sign(url.origin, clock());
    // Encryption takes the processor: between two messages the server does what else it has to do.
    await inTurn(() => sleep(PACE));
    const text = hidesAmounts ? withoutAmounts(message) : message.text;
    // A repeated attempt replaces what the first one showed.
    const content = declarativePush({ ...message, text, tag, unread, session }, publicUrl);
    const headers = {
      'content-type': 'application/octet-stream',
      'content-encoding': 'aes128gcm',
      ttl: String(LIFETIME[message.kind] / SECOND),
      urgency: urgencyOf(message),
      topic: topicOf(tag),
      authorization,
    };
    const { cipherText: body } = webPush.encrypt(p256dh, auth, content, 'aes128gcm');
    const isPrivateAllowed = trusted.includes(url.origin);
    waits?.();
    const { status, headers: answered } = await postTo(url, { headers, body, signal, isPrivateAllowed, connections });
    return httpOutcome({ status, after: retryAfter(answered, clock()) }, PUSH_SERVICE);
  }

  return {
    name: 'push',
    atOnce: AT_ONCE,
    send: (...message) => send(...message).catch(refusePrivate),
    close: connections.close,
  };
}

// Too large is the fault of the message, all other refusals are that of the keys or of the service's address.
const PUSH_SERVICE = { name: 'The push service', gone: [404, 410], excused: [413] };

/** Returns the text as the list in the app writes it while amounts are hidden. A summary can name a bot whatever its kind is. */
const withoutAmounts = ({ kind, count, text }: Message): string => (kind === 'bot' || count > 1 ? HIDDEN_AMOUNTS.sentence(text) : text);

interface Asked {
  userId: string;
  session: string;
}

/** Returns for each message the number of the user's unread notifications, and whether the session is still open. */
async function situationsOf(db: Db, asked: readonly Asked[]): Promise<{ unread: number; isOpen: boolean }[]> {
  const userIds = [...new Set(asked.map(({ userId }) => userId))];
  const unread = await db
    .select({ userId: notifications.userId, unread: count() })
    .from(notifications)
    .where(and(inArray(notifications.userId, userIds), isNull(notifications.readAt)))
    .groupBy(notifications.userId);
  const open = await db
    .select({ id: sessions.id, userId: sessions.userId })
    .from(sessions)
    .where(
      and(
        inArray(
          sessions.id,
          asked.map(({ session }) => session),
        ),
        isNull(sessions.revokedAt),
      ),
    );
  const unreadOf = new Map(unread.map((row) => [row.userId, row.unread]));
  const ownerOf = new Map(open.map(({ id, userId }) => [id, userId]));
  return asked.map(({ userId, session }) => ({ unread: unreadOf.get(userId) ?? 0, isOpen: ownerOf.get(session) === userId }));
}
