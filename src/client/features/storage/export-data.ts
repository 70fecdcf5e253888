import type { UserDb } from '#client/platform/db/user-db.ts';
import { unsentQuestions } from '#client/platform/outbox/questions.ts';
import type { Message } from '#contract/chat/chat.ts';
import { PRODUCT } from '#domain/product.ts';

type Part = Record<string, unknown>;

interface Source {
  db: UserDb;
  userId: string;
  now?: () => number;
}

/** Exports the user's data from this device, for use offline. Leaves out passwords, tokens, keys and store ids. */
export async function exportData({ db, userId, now = Date.now }: Source): Promise<Part> {
  return {
    product: PRODUCT,
    exported_at: new Date(now()).toISOString(),
    source: 'device',
    ...(await fromDevice({ db, userId })),
    not_sent: await unsent(db),
  };
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
    alerts: await db.alerts.toArray(),
    alert_history: await db.firings.orderBy('at').reverse().toArray(),
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

/** Collects the data that is not sent yet, and exists only on this device. */
async function unsent(db: UserDb): Promise<Part> {
  const questions = await unsentQuestions(db);
  const messages = await db.contacts.filter(({ sentAt }) => sentAt === null).toArray();
  return {
    questions: questions.map(({ body }) => ({ archive_id: body.message.archive_id, text: body.message.message })),
    contacts: messages.map(({ kind, message }) => ({ kind, text: message })),
    drafts: (await db.drafts.toArray()).map(({ text }) => text).filter(Boolean),
  };
}

/** Leaves out the payment id, with which another store account could pass for the user's. */
function withoutSecrets({
  userSubscription: { appUserId: _, ...subscription },
  ...user
}: {
  userSubscription: { appUserId?: string | undefined };
}): Part {
  return { ...user, subscription };
}

/** Keeps the content of a message, without the fields that only control its display. */
const asMessage = ({ id, user_message, ai_response, created_at, failed, stopped, rating, chat_image, figures }: Message): Part => ({
  id,
  user_message,
  ai_response,
  created_at,
  has_picture: chat_image !== null,
  ...(figures ? { figures } : {}),
  ...(failed && { failed }),
  ...(stopped && { stopped }),
  ...(rating && { rating }),
});
