import { and, between, count, eq, getTableColumns, sql } from 'drizzle-orm';
import type { Db, Tx } from '#server/db/open.ts';
import { chats } from '#server/db/schema/chat.ts';
import { answeredWell } from '../store.ts';

/** Answered messages of a chat, from one position to another. */
export interface Stretch {
  userId: string;
  archiveId: string;
  from: number;
  to: number;
}

const within = ({ userId, archiveId, from, to }: Stretch) =>
  and(eq(chats.userId, userId), eq(chats.archiveId, archiveId), between(chats.position, from, to), answeredWell);

/** Returns the number of messages, and of characters in them. */
export async function measureMessages(db: Db, stretch: Stretch): Promise<{ messages: number; characters: number }> {
  const length = sql<string>`coalesce(sum(length(${chats.userMessage}) + length(${chats.aiResponse})), 0)`;
  const [row] = await db.select({ messages: count(), characters: length }).from(chats).where(within(stretch));
  return { messages: row?.messages ?? 0, characters: Number(row?.characters ?? 0) };
}

export const countMessagesOf = (tx: Tx, userId: string): Promise<number> => tx.$count(chats, eq(chats.userId, userId));

/**
 * Copies messages into another chat, from position 1, with their pictures and figures. Ratings, edits and offers stay with the originals.
 * Returns how many there were.
 */
export async function copyMessages(tx: Tx, stretch: Stretch, archiveId: string): Promise<number> {
  const source = tx
    .select({
      ...getTableColumns(chats),
      id: sql`gen_random_uuid()`.as('id'),
      archiveId: sql`${archiveId}::uuid`.as('archive_id'),
      position: sql`(row_number() over (order by ${chats.position}))::integer`.as('position'),
      claimedUntil: sql`null::timestamptz`.as('claimed_until'),
      version: sql`0`.as('version'),
      edits: sql`'{}'::uuid[]`.as('edits'),
      rating: sql`null::text`.as('rating'),
      action: sql`null::jsonb`.as('action'),
    })
    .from(chats)
    .where(within(stretch));
  return (await tx.insert(chats).select(source).returning({ position: chats.position })).length;
}
