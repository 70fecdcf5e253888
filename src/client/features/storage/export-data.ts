import { userAnswer } from '../../../contract/account';
import { archivesAnswer } from '../../../contract/archive';
import { type Chat, chatsAnswer } from '../../../contract/chat';
import { sentContactsAnswer } from '../../../contract/contact';
import { notificationsAnswer } from '../../../contract/notification';
import { watchlistAnswer } from '../../../contract/watchlist';
import { PRODUCT } from '../../../domain/product';
import { call } from '../../platform/api/call';
import { ApiError, NetworkError } from '../../platform/api/errors';
import type { UserDb } from '../../platform/db/user-db';
import { unsentQuestions } from '../../platform/outbox/questions';

/** Conversations asked for at the same time. */
const AT_ONCE = 4;
const ALL_COINS = 5000;

type Part = Record<string, unknown>;

export interface Export {
  /** `device`: the server could not be asked, so that it holds only what was read here. */
  source: 'server' | 'device';
  /** What goes into the file. */
  content: Part;
}

interface Source {
  db: UserDb;
  userId: string;
  /** How many of the conversations are read. */
  onProgress?: (done: number, total: number) => void;
  now?: () => number;
}

/**
 * Everything that is kept of a user and belongs to them: from the server, or where that cannot be reached, what this
 * device has. No password, token, key or store id is in it. Throws ApiError when the server refuses.
 */
export async function exportData(source: Source): Promise<Export> {
  const { db, now = Date.now } = source;
  const told = await fromServer(source).catch((error: unknown) => {
    if (error instanceof NetworkError) return undefined;
    throw error;
  });
  const content = {
    product: PRODUCT,
    exported_at: new Date(now()).toISOString(),
    source: told ? 'server' : 'device',
    ...(told ?? (await fromDevice(source))),
    not_sent: await unsent(db),
  };
  return { source: told ? 'server' : 'device', content };
}

async function fromServer({ userId, onProgress }: Source): Promise<Part> {
  const { data: user } = await call(`/auth/user/${userId}/`, { answer: userAnswer });
  const { data: listed } = await call(`/user/${userId}/archives/`, { answer: archivesAnswer });
  const messages = new Map<string, Part[]>();
  const queue = [...listed];
  const read = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      messages.set(next.id, await messagesOf(next.id));
      onProgress?.(messages.size, listed.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, read));
  const all = { limit: ALL_COINS, convert: 'USD', search: '', page: 1 };
  const { data: coins } = await call(`/watchlist/${userId}`, { method: 'POST', body: all, answer: watchlistAnswer });
  return {
    profile: withoutSecrets(user),
    archives: listed.map((archive) => ({ ...archive, messages: messages.get(archive.id) ?? [] })),
    watchlist: coins.map(({ id, symbol, name }) => ({ id, symbol, name })),
    notifications: (await call(`/notification/${userId}`, { answer: notificationsAnswer })).data,
    contacts: (await call('/contact-us/messages', { answer: sentContactsAnswer })).data,
  };
}

/** Empty for a conversation that was deleted meanwhile. */
async function messagesOf(archiveId: string): Promise<Part[]> {
  try {
    return (await call(`/archive/${encodeURIComponent(archiveId)}/chats`, { answer: chatsAnswer })).data.map(asMessage);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}

async function fromDevice({ db, userId }: Source): Promise<Part> {
  const user = await db.profile.get(userId);
  const watched = (await db.watchlist.toArray()).sort((a, b) => a.place - b.place);
  const coins = await db.coins.bulkGet(watched.map(({ id }) => id));
  const archives = await db.archives.orderBy('created_at').reverse().toArray();
  return {
    profile: user && withoutSecrets(user),
    archives: await Promise.all(
      archives.map(async (archive) => {
        const rows = db.messages.where('[archive_id+position]').between([archive.id, 0], [archive.id, Number.MAX_SAFE_INTEGER]);
        return { ...archive, messages: (await rows.toArray()).map(asMessage) };
      }),
    ),
    watchlist: watched.map(({ id }, at) => ({ id, symbol: coins[at]?.symbol, name: coins[at]?.name })),
    notifications: await db.notifications.orderBy('created_at').reverse().toArray(),
    contacts: (await db.contacts.orderBy('createdAt').toArray()).map(({ id, kind, message, files, createdAt }) => ({
      id,
      kind,
      message,
      files,
      created_at: new Date(createdAt).toISOString(),
    })),
  };
}

/** What the server has not heard yet, which is on this device alone. */
async function unsent(db: UserDb): Promise<Part> {
  const questions = await unsentQuestions(db);
  const messages = await db.contacts.filter(({ sentAt }) => sentAt === null).toArray();
  return {
    questions: questions.map(({ body }) => ({ archive_id: body.message.archive_id, text: body.message.message })),
    contacts: messages.map(({ kind, message }) => ({ kind, text: message })),
    drafts: (await db.drafts.toArray()).map(({ text }) => text).filter(Boolean),
  };
}

/** The id at the payment channel would let somebody else's store account pass for the user's. */
function withoutSecrets({
  userSubscription: { appUserId: _, ...subscription },
  ...user
}: {
  userSubscription: { appUserId?: string | undefined };
}): Part {
  return { ...user, subscription };
}

/** As it was written and answered: what only draws it is left out. */
const asMessage = ({ id, user_message, ai_response, created_at, failed, stopped, rating, chat_image }: Chat): Part => ({
  id,
  user_message,
  ai_response,
  created_at,
  has_picture: chat_image !== null,
  ...(failed && { failed }),
  ...(stopped && { stopped }),
  ...(rating && { rating }),
});
