import { and, desc, eq, inArray, notExists, notInArray, sql } from 'drizzle-orm';
import type { NamedContent } from '#server/blobs/read-blob.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { chatImages, chats } from '#server/db/schema/chat.ts';

/** The blob names of an image row. */
export interface NamedPicture extends NamedContent {
  type: string;
}

type NewImage = Omit<typeof chatImages.$inferInsert, 'bytes' | 'preview'>;

const mine = (userId: string, id: string) => and(eq(chatImages.userId, userId), eq(chatImages.id, id));

/** Matches images that no question uses. */
const unused = (db: Db) =>
  notExists(
    db
      .select({ one: sql`1` })
      .from(chats)
      .where(and(eq(chats.userId, chatImages.userId), eq(chats.imageId, sql`${chatImages.id}::text`))),
  );

export const insertImage = async (tx: Tx, image: NewImage): Promise<void> => void (await tx.insert(chatImages).values(image));

/** Renews an image's age, so that cleanup keeps it for the question about to use it. False if there is none. */
export async function touchImage(tx: Tx, userId: string, id: string, now: Date): Promise<boolean> {
  const touched = await tx.update(chatImages).set({ createdAt: now }).where(mine(userId, id)).returning({ id: chatImages.id });
  return touched.length > 0;
}

export async function findPicture(db: Db, userId: string, id: string): Promise<NamedPicture | undefined> {
  const { type, hash, size, bytes } = chatImages;
  const [row] = await db.select({ type, hash, size, bytes }).from(chatImages).where(mine(userId, id));
  return row;
}

export async function findPreview(db: Db, userId: string, id: string): Promise<NamedPicture | undefined> {
  const { previewHash: hash, previewSize: size, preview: bytes } = chatImages;
  const [row] = await db.select({ hash, size, bytes }).from(chatImages).where(mine(userId, id));
  return row && { type: 'image/webp', ...row };
}

const deleted = { hash: chatImages.hash, previewHash: chatImages.previewHash };
const hashesOf = (rows: { hash: string | null; previewHash: string | null }[]) =>
  rows.flatMap(({ hash, previewHash }) => [hash, previewHash]);

/** Deletes a user's unused images except the newest `kept`, and returns their blob hashes. */
export async function pruneUnused(tx: Tx, userId: string, kept: number): Promise<(string | null)[]> {
  const theirs = and(eq(chatImages.userId, userId), unused(tx));
  const newest = tx.select({ id: chatImages.id }).from(chatImages).where(theirs).orderBy(desc(chatImages.createdAt)).limit(kept);
  return hashesOf(
    await tx
      .delete(chatImages)
      .where(and(theirs, notInArray(chatImages.id, newest)))
      .returning(deleted),
  );
}

/** Deletes those of the images that no question uses, and returns their blob hashes. */
export async function deleteUnused(tx: Tx, userId: string, ids: readonly string[]): Promise<(string | null)[]> {
  if (ids.length === 0) return [];
  const theirs = and(eq(chatImages.userId, userId), inArray(chatImages.id, [...ids]), unused(tx));
  return hashesOf(await tx.delete(chatImages).where(theirs).returning(deleted));
}
