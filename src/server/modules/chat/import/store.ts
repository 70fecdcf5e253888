import { and, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import type { ImportedChat } from '#contract/chat/import-chats.ts';
import { fold } from '#domain/text.ts';
import type { Tx } from '#server/db/open.ts';
import { archives, chatImages, chats } from '#server/db/schema/chat.ts';
import { folded } from '../store.ts';

type Row = typeof chats.$inferInsert;
export type NewMessage = Pick<
  Row,
  | ('id' | 'archiveId' | 'position' | 'userMessage' | 'aiResponse' | 'failed' | 'stopped' | 'rating' | 'imageId')
  | ('figures' | 'marks' | 'coins' | 'choices' | 'createdAt')
> & { answeredAt: Date };

/** What the account has of the given chats. */
export interface Known {
  chatIds: readonly string[];
  messageIds: readonly string[];
  imageIds: ReadonlySet<string>;
  /** Last position by chat. */
  last: ReadonlyMap<string, number>;
  /** All chats of the user. */
  chatCount: number;
  pinCount: number;
}

export async function findKnown(tx: Tx, userId: string, given: readonly ImportedChat[]): Promise<Known> {
  const ids = given.map(({ id }) => id);
  const messages = given.flatMap((chat) => chat.messages);
  const known = async (table: typeof archives | typeof chats | typeof chatImages, wanted: readonly string[]) =>
    wanted.length === 0
      ? []
      : (
          await tx
            .select({ id: table.id })
            .from(table)
            .where(and(eq(table.userId, userId), inArray(table.id, [...wanted])))
        ).map(({ id }) => id);
  const newest = tx
    .select({ position: chats.position })
    .from(chats)
    .where(and(eq(chats.userId, userId), sql`${chats.archiveId} = given.id`))
    .orderBy(desc(chats.position))
    .limit(1)
    .as('newest');
  // Reads one row of each chat, however many messages it has.
  const last = await tx
    .select({ id: sql<string>`given.id`, position: newest.position })
    .from(sql`unnest(${sql.param(ids)}::uuid[]) as given(id)`)
    .innerJoinLateral(newest, sql`true`);
  return {
    chatIds: await known(archives, ids),
    messageIds: await known(
      chats,
      messages.map(({ id }) => id),
    ),
    imageIds: new Set(
      await known(
        chatImages,
        messages.flatMap(({ picture }) => picture ?? []),
      ),
    ),
    last: new Map(last.map(({ id, position }) => [id, position])),
    chatCount: await tx.$count(archives, eq(archives.userId, userId)),
    pinCount: await tx.$count(archives, and(eq(archives.userId, userId), isNotNull(archives.pinnedAt))),
  };
}

export type NewChat = Pick<typeof archives.$inferSelect, 'id' | 'title' | 'createdAt' | 'pinnedAt'>;

export async function insertChats(tx: Tx, userId: string, rows: readonly NewChat[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.insert(archives).values(rows.map((row) => ({ ...row, userId, foldedTitle: fold(row.title) })));
}

/** Inserts answered messages. */
export async function insertMessages(tx: Tx, userId: string, rows: readonly NewMessage[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.insert(chats).values(
    rows.map((row) => ({
      ...row,
      userId,
      startedAt: row.answeredAt,
      folded: folded(row.failed ? row.userMessage : `${row.userMessage}\n${row.aiResponse}`),
    })),
  );
}
