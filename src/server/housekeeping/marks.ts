import { eq } from 'drizzle-orm';
import type { Db } from '#server/db/open.ts';
import { cleanupMarks } from '#server/db/schema/operations.ts';

/** Returns how far a cleanup has come; undefined before its first run. */
export async function readMark(db: Db, name: string): Promise<string | undefined> {
  const [row] = await db.select({ reached: cleanupMarks.reached }).from(cleanupMarks).where(eq(cleanupMarks.name, name));
  return row?.reached;
}

export async function setMark(db: Db, name: string, reached: string): Promise<void> {
  await db.insert(cleanupMarks).values({ name, reached }).onConflictDoUpdate({ target: cleanupMarks.name, set: { reached } });
}

/** Returns a mark that is a time, ms. A mark beyond `now` means that the clock was set back, and counts as none. */
export async function readTimeMark(db: Db, name: string, now: number): Promise<number | undefined> {
  const at = Number(await readMark(db, name));
  return at <= now ? at : undefined;
}
