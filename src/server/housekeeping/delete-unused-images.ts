import { and, asc, eq, lt, notExists, type SQL, sql } from 'drizzle-orm';
import { DAY } from '#domain/clock.ts';
import { chatImages, chats } from '#server/db/schema/chat.ts';
import { BATCH, type Work } from './delete-rows.ts';
import { readMark, setMark } from './marks.ts';

/** Lifetime of an uploaded image without a question, ms. */
const KEPT = 7 * DAY;
const MARK = 'images';
/** Images that one run checks at most, from where the last one ended. */
const CHECKED = 50 * BATCH;

/** Deletes images that no question uses. An edit may leave one at any age, so runs check all of them in turn. */
export async function deleteUnusedImages({ db, now, pause }: Work): Promise<void> {
  const { userId, id } = chatImages;
  const questions = db
    .select({ id: chats.id })
    .from(chats)
    .where(and(eq(chats.userId, userId), eq(chats.imageId, sql`${id}::text`)));
  let reached = await readMark(db, MARK);
  for (let checked = 0; checked < CHECKED; checked += BATCH) {
    await pause();
    const [fromUser, fromId] = reached?.split(' ') ?? [];
    const after: SQL | undefined = reached ? sql`(${userId}, ${id}) > (${fromUser}::uuid, ${fromId}::uuid)` : undefined;
    const [last] = await db
      .select({ userId, id })
      .from(chatImages)
      .where(after)
      .orderBy(asc(userId), asc(id))
      .offset(BATCH - 1)
      .limit(1);
    const upTo = last && sql`(${userId}, ${id}) <= (${last.userId}::uuid, ${last.id}::uuid)`;
    await db.delete(chatImages).where(and(after, upTo, lt(chatImages.createdAt, new Date(now - KEPT)), notExists(questions)));
    reached = last && `${last.userId} ${last.id}`;
    await setMark(db, MARK, reached ?? '');
    if (!last) return;
  }
}
