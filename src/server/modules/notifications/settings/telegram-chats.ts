import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { and, eq, gt, sql } from 'drizzle-orm';
import { TELEGRAM_LINK_LIFETIME } from '#contract/notifications/settings.ts';
import { MINUTE, SECOND } from '#domain/clock.ts';
import { PRODUCT } from '#domain/product.ts';
import { shownName } from '#domain/shown-name.ts';
import type { Db } from '#server/db/open.ts';
import { connectionCodes, destinations } from '#server/db/schema/deliveries.ts';
import { users } from '#server/db/schema/users.ts';
import { type CountClock, timeOf } from '#server/db/windows.ts';
import { unavailable } from '#server/http/errors.ts';
import { type TelegramApi, TelegramRefusal, type TelegramUpdate } from '#server/ports/channels/telegram-api.ts';
import { hashOf } from '#server/tokens/random-tokens.ts';
import { withDeadline } from '#server/with-deadline.ts';
import { later } from '../deliveries/enqueue.ts';
import type { Notify } from '../service.ts';
import { changedNotice } from './service.ts';
import { deleteDestinations } from './store.ts';

/** Pauses while another process leads, and after a failure, ms. */
const NOT_LEADING = 10 * SECOND;
const AFTER_FAILURE = 5 * SECOND;
const LONGEST_PAUSE = MINUTE;
/** Answers to one batch of updates, so that a flood of messages makes no flood of answers. */
const MAX_REPLIES = 5;
const LINK_PATIENCE = 10 * SECOND;

interface Parts {
  db: Db;
  clock: CountClock;
  api: TelegramApi;
  notify: Notify;
  leadership: { lead(): Promise<boolean>; resign(): Promise<void> };
  report: (error: unknown) => void;
}

export interface TelegramChats {
  /** Returns a link that connects the chat of the user who opens it. Throws 503 while Telegram does not answer. */
  link(userId: string): Promise<{ link: string; expires_at: string }>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Connects Telegram chats with accounts: one process asks the bot for messages, and takes those that have a code. */
export function createTelegramChats({ db, clock, api, notify, leadership, report }: Parts): TelegramChats {
  const closing = new AbortController();
  let username: string | undefined;
  let polling: Promise<void> | undefined;
  let isLeader = false;

  const handle = createReader({ db, clock, api, notify }, closing.signal);

  async function poll(): Promise<void> {
    let offset = 0;
    let failures = 0;
    const pause = (ms: number) => wait(ms, undefined, { signal: closing.signal }).catch(() => undefined);
    while (!closing.signal.aborted) {
      try {
        isLeader = await leadership.lead();
        if (!isLeader) {
          await pause(NOT_LEADING);
          continue;
        }
        const updates = await api.updates(offset, closing.signal);
        for (const { update_id: id } of updates) offset = Math.max(offset, id + 1);
        await handle(updates);
        failures = 0;
      } catch (error) {
        if (closing.signal.aborted) return;
        if (failures++ === 0) report(error);
        const asked = error instanceof TelegramRefusal ? (error.retryAfter ?? 0) * SECOND : 0;
        await pause(Math.min(Math.max(asked, AFTER_FAILURE * failures), LONGEST_PAUSE));
      }
    }
  }

  return {
    async link(userId) {
      username ??= await withDeadline(LINK_PATIENCE, closing.signal, (signal) => api.username(signal)).catch((error: unknown) => {
        report(error);
        throw unavailable('telegram_unreachable', 'Telegram does not answer. Please try again later.');
      });
      const code = randomBytes(24).toString('base64url');
      const expiresAt = later(timeOf(clock), TELEGRAM_LINK_LIFETIME);
      const stored = await db.transaction(async (tx) => {
        await tx.delete(connectionCodes).where(eq(connectionCodes.userId, userId));
        const row = { codeHash: hashOf(code), userId, channel: 'telegram' as const, expiresAt };
        return tx
          .insert(connectionCodes)
          .values(row)
          .returning({ expiresAt: sql<string>`${connectionCodes.expiresAt}::text` });
      });
      return { link: `https://t.me/${username}?start=${code}`, expires_at: new Date(stored[0]?.expiresAt ?? 0).toISOString() };
    },
    async start() {
      polling = poll();
    },
    async close() {
      closing.abort(new Error('the server stops'));
      await polling;
      if (isLeader) await leadership.resign().catch(report);
    },
  };
}

/** Creates what takes the codes out of messages, connects their chats, and answers. */
function createReader({ db, clock, api, notify }: Pick<Parts, 'db' | 'clock' | 'api' | 'notify'>, closing: AbortSignal) {
  async function take({ chat }: NonNullable<TelegramUpdate['message']>, code: string): Promise<boolean> {
    const show = await db.transaction(async (tx) => {
      const [taken] = await tx
        .delete(connectionCodes)
        .where(and(eq(connectionCodes.codeHash, hashOf(code)), gt(connectionCodes.expiresAt, timeOf(clock))))
        .returning({ userId: connectionCodes.userId });
      if (!taken) return undefined;
      const { userId } = taken;
      await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
      await deleteDestinations(tx, userId, 'telegram');
      const name = chat.username === undefined ? shownName(chat.first_name ?? '') : `@${shownName(chat.username)}`;
      // Before the chat is stored, because the notice must not go to an intruder alone.
      const show = await notify(tx, userId, changedNotice(`Notifications now also go to Telegram${name ? `, to ${name}` : ''}.`));
      const createdAt = timeOf(clock);
      await tx.insert(destinations).values({ userId, channel: 'telegram', address: String(chat.id), details: { name }, createdAt });
      return show;
    });
    show?.();
    return show !== undefined;
  }

  return async (updates: readonly TelegramUpdate[]): Promise<void> => {
    let replies = 0;
    for (const { message } of updates) {
      const code = message && codeIn(message);
      if (!message || code === undefined) continue;
      const isTaken = await take(message, code);
      if (replies++ >= MAX_REPLIES && !isTaken) continue;
      const text = isTaken
        ? `Your ${PRODUCT} notifications now come to this chat.`
        : `This link has been used or has expired. Make a new one in the settings of ${PRODUCT}.`;
      await api.sendText(String(message.chat.id), text, closing).catch(() => undefined);
    }
  };
}

/** Returns the code of a `/start` in a chat with one person; others could read a group. */
function codeIn({ chat, text }: NonNullable<TelegramUpdate['message']>): string | undefined {
  if (chat.type !== 'private' || text === undefined || text.length > 100) return undefined;
  return /^\/start ([\w-]{32})$/.exec(text)?.[1];
}
