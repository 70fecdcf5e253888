import { and, desc, eq, inArray, notExists, notInArray, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../db/open';
import { chatImages, chats } from '../../db/schema';
import type { Picture } from '../../ports/analyst/analyst';
import type { RedrawnImage } from './redraw-image';

const mine = (userId: string, id: string) => and(eq(chatImages.userId, userId), eq(chatImages.id, id));

/** No question shows it. */
const unused = (db: Db) =>
  notExists(
    db
      .select({ one: sql`1` })
      .from(chats)
      .where(and(eq(chats.userId, chatImages.userId), eq(chats.imageId, sql`${chatImages.id}::text`))),
  );

/** The image of that id: this one where there was none. */
export async function insertImage(tx: Tx, userId: string, id: string, image: RedrawnImage, createdAt: Date): Promise<Buffer | undefined> {
  await tx
    .insert(chatImages)
    .values({ userId, id, ...image, createdAt })
    .onConflictDoNothing();
  return (await findPicture(tx, userId, id))?.bytes;
}

/** Says that a question is about to use the image, which is therefore not deleted for want of one. False when there is none. */
export async function touchImage(tx: Tx, userId: string, id: string, now: Date): Promise<boolean> {
  const touched = await tx.update(chatImages).set({ createdAt: now }).where(mine(userId, id)).returning({ id: chatImages.id });
  return touched.length > 0;
}

export async function findPicture(db: Db, userId: string, id: string): Promise<Picture | undefined> {
  const [row] = await db.select({ type: chatImages.type, bytes: chatImages.bytes }).from(chatImages).where(mine(userId, id));
  return row;
}

export async function findPreview(db: Db, userId: string, id: string): Promise<Picture | undefined> {
  const [row] = await db.select({ bytes: chatImages.preview }).from(chatImages).where(mine(userId, id));
  return row && { type: 'image/webp', bytes: row.bytes };
}

/** Deletes a user's unused images but the newest `kept`. */
export async function pruneUnused(tx: Tx, userId: string, kept: number): Promise<void> {
  const theirs = and(eq(chatImages.userId, userId), unused(tx));
  const newest = tx.select({ id: chatImages.id }).from(chatImages).where(theirs).orderBy(desc(chatImages.createdAt)).limit(kept);
  await tx.delete(chatImages).where(and(theirs, notInArray(chatImages.id, newest)));
}

/** Deletes those of the images that no question shows any more. */
export async function deleteUnused(tx: Tx, userId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.delete(chatImages).where(and(eq(chatImages.userId, userId), inArray(chatImages.id, [...ids]), unused(tx)));
}
