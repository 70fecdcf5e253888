import { and, desc, eq, getTableColumns, gt, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm';
import { MAX_LINK_MESSAGES } from '#contract/chat/chat-links.ts';
import { DAY, SECOND } from '#domain/clock.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { archives, chatLinks, chats } from '#server/db/schema/chat.ts';
import { users } from '#server/db/schema/users.ts';
import type { AnsweredRow, CopiedMessage } from './copy-chat.ts';

/** Lists do not read the copies. */
const { messages: _messages, tokenHash: _tokenHash, ...listed } = getTableColumns(chatLinks);
export type LinkRow = Omit<typeof chatLinks.$inferSelect, 'messages' | 'tokenHash'>;

/** Returns a chat's title. With a lock, the chat cannot be deleted until the transaction ends. */
export async function titleOfChat(db: Db, userId: string, archiveId: string, lock = false): Promise<string | undefined> {
  const found = db
    .select({ title: archives.title })
    .from(archives)
    .where(and(eq(archives.userId, userId), eq(archives.id, archiveId)));
  const [row] = await (lock ? found.for('no key update') : found);
  return row?.title;
}

/** Returns the last answered questions up to a position, newest first: one more than a link shows. Failed and stopped ones are left out. */
export const answeredOf = (db: Db, userId: string, archiveId: string, upTo?: number): Promise<AnsweredRow[]> =>
  db
    .select({
      position: chats.position,
      userMessage: chats.userMessage,
      aiResponse: chats.aiResponse,
      figures: chats.figures,
      imageId: chats.imageId,
      createdAt: chats.createdAt,
    })
    .from(chats)
    .where(
      and(
        eq(chats.userId, userId),
        eq(chats.archiveId, archiveId),
        isNotNull(chats.answeredAt),
        eq(chats.failed, false),
        eq(chats.stopped, false),
        upTo === undefined ? undefined : lte(chats.position, upTo),
      ),
    )
    .orderBy(desc(chats.position))
    .limit(MAX_LINK_MESSAGES + 1);

const living = (userId: string, now: SQL) => and(eq(chatLinks.userId, userId), gt(chatLinks.expiresAt, now));

/** Lists a user's links that have not expired, newest first; with a chat, those of the chat. */
export const listLinks = (db: Db, userId: string, now: SQL, archiveId?: string): Promise<LinkRow[]> =>
  db
    .select(listed)
    .from(chatLinks)
    .where(and(living(userId, now), archiveId === undefined ? undefined : eq(chatLinks.archiveId, archiveId)))
    .orderBy(desc(chatLinks.createdAt), desc(chatLinks.id));

export const countLinks = (tx: Tx, userId: string, now: SQL): Promise<number> => tx.$count(chatLinks, living(userId, now));

interface NewLink extends Omit<LinkRow, 'createdAt' | 'expiresAt'> {
  tokenHash: string;
  messages: CopiedMessage[];
  days: number;
}

/** Stores a link. Undefined if another one has its id or its token. */
export async function insertLink(tx: Tx, { days, ...link }: NewLink, now: SQL): Promise<LinkRow | undefined> {
  const end = sql`${now} + ${(days * DAY) / SECOND}::float8 * interval '1 second'`;
  const [row] = await tx
    .insert(chatLinks)
    .values({ ...link, createdAt: sql`${now}`, expiresAt: end })
    .onConflictDoNothing()
    .returning(listed);
  return row;
}

/** Finds a user's link of this id and token. */
export async function findLink(tx: Tx, userId: string, id: string, tokenHash: string): Promise<LinkRow | undefined> {
  const [row] = await tx
    .select(listed)
    .from(chatLinks)
    .where(and(eq(chatLinks.userId, userId), eq(chatLinks.id, id), eq(chatLinks.tokenHash, tokenHash)));
  return row;
}

/** Deletes a link with its copy. Returns false if there is none. */
export async function deleteLink(tx: Tx, userId: string, id: string): Promise<boolean> {
  const deleted = await tx
    .delete(chatLinks)
    .where(and(eq(chatLinks.userId, userId), eq(chatLinks.id, id)))
    .returning({ id: chatLinks.id });
  return deleted.length > 0;
}

/** Matches the link that a token opens now. An account that is being deleted shares nothing. */
const opened = (tokenHash: string, now: SQL) =>
  and(eq(chatLinks.tokenHash, tokenHash), gt(chatLinks.expiresAt, now), isNull(users.erasingAt));

export async function openLink(db: Db, tokenHash: string, now: SQL): Promise<(LinkRow & { messages: unknown }) | undefined> {
  const [row] = await db
    .select({ ...listed, messages: chatLinks.messages })
    .from(chatLinks)
    .innerJoin(users, eq(users.id, chatLinks.userId))
    .where(opened(tokenHash, now));
  return row;
}

/** Finds the picture at a place of the link that a token opens. */
export async function findSharedPicture(
  db: Db,
  tokenHash: string,
  place: number,
  now: SQL,
): Promise<{ userId: string; imageId: string | null } | undefined> {
  const [row] = await db
    .select({ userId: chatLinks.userId, imageId: sql<string | null>`${chatLinks.messages} -> ${place}::int ->> 'image'` })
    .from(chatLinks)
    .innerJoin(users, eq(users.id, chatLinks.userId))
    .where(opened(tokenHash, now));
  return row;
}
