import { and, between, desc, eq, inArray, isNotNull, max, sql } from 'drizzle-orm';
import { MAX_PINS } from '#contract/chat/archive-limits.ts';
import type { Newest } from '#domain/chat-preview.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { isOneOf, type OwnedId } from '#server/db/owned-rows.ts';
import { archives, chats } from '#server/db/schema/chat.ts';
import type { Piece } from './pieces.ts';

export type ArchiveRow = typeof archives.$inferSelect;

const mine = (userId: string, id: string) => and(eq(archives.userId, userId), eq(archives.id, id));

/** Inserts an archive that does not exist yet. */
export async function insertArchive(tx: Tx, userId: string, id: string, createdAt: Date): Promise<ArchiveRow> {
  const [row] = await tx.insert(archives).values({ userId, id, createdAt }).returning();
  if (!row) throw new Error(`Archive ${id} was not inserted`);
  return row;
}

export async function findArchive(tx: Db, userId: string, id: string): Promise<ArchiveRow | undefined> {
  const [row] = await tx.select().from(archives).where(mine(userId, id));
  return row;
}

/** Returns these archives; unknown ones are left out. */
export const findArchives = (db: Db, rows: readonly OwnedId[]): Promise<ArchiveRow[]> =>
  db
    .select()
    .from(archives)
    .where(isOneOf(archives.userId, archives.id, rows));

/** Locks an archive against other writers until the transaction ends. Undefined if it does not exist. */
export async function lockArchive(tx: Tx, userId: string, id: string): Promise<Pick<ArchiveRow, 'title'> | undefined> {
  const [row] = await tx.select({ title: archives.title }).from(archives).where(mine(userId, id)).for('no key update');
  return row;
}

export async function deleteArchive(tx: Tx, userId: string, id: string): Promise<void> {
  await tx.delete(archives).where(mine(userId, id));
}

export const countArchives = (db: Db, userId: string): Promise<number> => db.$count(archives, eq(archives.userId, userId));

/** The last row of a page, which is the start of the next one. */
export type Place = Pick<ArchiveRow, 'createdAt' | 'id'>;

const olderThan = (place: Place | undefined) =>
  place && sql`(${archives.createdAt}, ${archives.id}) < (${place.createdAt.toISOString()}::timestamptz, ${place.id}::uuid)`;

/** Lists at most `limit` archives older than `after`, newest first. */
export const listArchives = (db: Db, userId: string, after: Place | undefined, limit: number): Promise<ArchiveRow[]> =>
  db
    .select()
    .from(archives)
    .where(and(eq(archives.userId, userId), olderThan(after)))
    .orderBy(desc(archives.createdAt), desc(archives.id))
    .limit(limit);

/** Lists pinned archives, the last pinned first. */
export const listPinned = (db: Db, userId: string): Promise<ArchiveRow[]> =>
  db
    .select()
    .from(archives)
    .where(and(eq(archives.userId, userId), isNotNull(archives.pinnedAt)))
    .orderBy(desc(archives.pinnedAt), desc(archives.id))
    .limit(MAX_PINS);

/** Pins an archive, or takes it off with null. */
export async function setPinned(tx: Tx, userId: string, id: string, pinnedAt: Date | null): Promise<ArchiveRow | undefined> {
  const [row] = await tx.update(archives).set({ pinnedAt }).where(mine(userId, id)).returning();
  return row;
}

export interface NewestRow extends Newest {
  /** The answer has figures of the user's own rows. */
  own: boolean;
}

/** Reads the start of each archive's newest message, at most `length` characters of both texts. Archives without messages are left out. */
export async function newestMessages(
  db: Db,
  userId: string,
  archiveIds: readonly string[],
  length: number,
): Promise<Map<string, NewestRow>> {
  if (archiveIds.length === 0) return new Map();
  const newest = db
    .select({
      question: sql<string>`left(${chats.userMessage}, ${length})`.as('question'),
      answer: sql<string>`left(${chats.aiResponse}, ${length})`.as('answer'),
      waits: sql<boolean>`${chats.answeredAt} is null`.as('waits'),
      failed: chats.failed,
      own: sql<boolean>`coalesce(${chats.figures} -> 'sources' @> '[{"tool": "account"}]'::jsonb, false)`.as('own'),
    })
    .from(chats)
    .where(and(eq(chats.userId, archives.userId), eq(chats.archiveId, archives.id)))
    .orderBy(desc(chats.position))
    .limit(1)
    .as('newest');
  const rows = await db
    .select({
      id: archives.id,
      question: newest.question,
      answer: newest.answer,
      waits: newest.waits,
      failed: newest.failed,
      own: newest.own,
    })
    .from(archives)
    .innerJoinLateral(newest, sql`true`)
    .where(and(eq(archives.userId, userId), inArray(archives.id, [...archiveIds])));
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

/** Counts the questions of each archive. */
export async function countQuestions(db: Db, userId: string, archiveIds: readonly string[]): Promise<Map<string, number>> {
  if (archiveIds.length === 0) return new Map();
  // Positions have no gaps, so the last position is the count, and the index alone answers it.
  const last = db
    .select({ position: max(chats.position) })
    .from(chats)
    .where(and(eq(chats.userId, archives.userId), eq(chats.archiveId, archives.id)));
  const rows = await db
    .select({ id: archives.id, questions: sql<number>`coalesce(${last}, 0)` })
    .from(archives)
    .where(and(eq(archives.userId, userId), inArray(archives.id, [...archiveIds])));
  return new Map(rows.map(({ id, questions }) => [id, questions]));
}

/** Finds archives of a piece whose questions or answers contain `needle` (folded text). Scans at most `limit` questions. */
export async function findSaid(
  db: Db,
  userId: string,
  needle: string,
  { ids, from, to, limit }: Piece & { limit: number },
): Promise<string[]> {
  // The limit also keeps the planner from searching the user's other questions.
  const held = db
    .select({ id: chats.archiveId, folded: chats.folded })
    .from(chats)
    .where(and(eq(chats.userId, userId), inArray(chats.archiveId, [...ids]), between(chats.position, from, to)))
    .limit(limit)
    .as('held');
  // LIKE takes ten times as long on hostile texts.
  const rows = await db.selectDistinct({ id: held.id }).from(held).where(sql`strpos(${held.folded}, ${needle}) > 0`);
  return rows.map(({ id }) => id);
}

/** Returns the folded titles of a user that begin with a text. */
export async function titlesWith(tx: Tx, userId: string, start: string): Promise<string[]> {
  const rows = await tx
    .select({ folded: archives.foldedTitle })
    .from(archives)
    .where(and(eq(archives.userId, userId), sql`starts_with(${archives.foldedTitle}, ${start})`));
  return rows.map(({ folded }) => folded);
}

/** Sets the title of an untitled archive. Returns false if it has one or does not exist. */
export async function titleUntitled(tx: Tx, userId: string, id: string, title: string, foldedTitle: string): Promise<boolean> {
  const named = await tx
    .update(archives)
    .set({ title, foldedTitle })
    .where(and(mine(userId, id), eq(archives.title, '')))
    .returning({ id: archives.id });
  return named.length > 0;
}

export async function setTitle(tx: Tx, userId: string, id: string, title: string, foldedTitle: string): Promise<ArchiveRow | undefined> {
  const [row] = await tx.update(archives).set({ title, foldedTitle }).where(mine(userId, id)).returning();
  return row;
}
