import { and, desc, eq, exists, like, or, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../db/open';
import { archives, chats } from '../../db/schema';

export type ArchiveRow = typeof archives.$inferSelect;

const mine = (userId: string, id: string) => and(eq(archives.userId, userId), eq(archives.id, id));

/** Leaves an archive that is there already as it is. */
export async function insertArchive(tx: Db, userId: string, id: string, createdAt: Date): Promise<void> {
  await tx.insert(archives).values({ userId, id, createdAt }).onConflictDoNothing();
}

export async function findArchive(tx: Db, userId: string, id: string): Promise<ArchiveRow | undefined> {
  const [row] = await tx.select().from(archives).where(mine(userId, id));
  return row;
}

/** Whoever else writes to this archive waits until the transaction ends. False when there is none. */
export async function lockArchive(tx: Tx, userId: string, id: string): Promise<boolean> {
  const locked = await tx.select({ id: archives.id }).from(archives).where(mine(userId, id)).for('update');
  return locked.length > 0;
}

export async function deleteArchive(tx: Tx, userId: string, id: string): Promise<void> {
  await tx.delete(archives).where(mine(userId, id));
}

/** Newest first. `needle` is folded text to be found in the title, a question or an answer; empty finds all. */
export async function listArchives(db: Db, userId: string, needle: string): Promise<ArchiveRow[]> {
  const pattern = `%${needle.replace(/[\\%_]/g, '\\$&')}%`;
  const said = db
    .select({ one: sql`1` })
    .from(chats)
    .where(and(eq(chats.userId, userId), eq(chats.archiveId, archives.id), like(chats.folded, pattern)));
  return db
    .select()
    .from(archives)
    .where(and(eq(archives.userId, userId), needle ? or(like(archives.foldedTitle, pattern), exists(said)) : undefined))
    .orderBy(desc(archives.createdAt), desc(archives.id));
}

/** Names an archive that has no title yet; false when it has one, or is gone. */
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
