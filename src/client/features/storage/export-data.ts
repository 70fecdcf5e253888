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

/** All that this device holds of a user, for when the server cannot be reached. No password, token, key or store id is in it. */
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
const asMessage = ({ id, user_message, ai_response, created_at, failed, stopped, rating, chat_image }: Message): Part => ({
  id,
  user_message,
  ai_response,
  created_at,
  has_picture: chat_image !== null,
  ...(failed && { failed }),
  ...(stopped && { stopped }),
  ...(rating && { rating }),
});
