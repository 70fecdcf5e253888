import type { UserDb } from '#client/platform/db/user-db.ts';
import { fetchPage, PAGE, rowsBetween, storePage, unsentOf } from './conversation.ts';

/** Brings one page of messages from before a position onto the device. Throws what the call throws. */
export async function pullBefore(db: UserDb, archiveId: string, before: number): Promise<void> {
  const page = await fetchPage(db, archiveId, before);
  await db.transaction('rw', db.messages, db.outbox, () => storePage(db, page));
}

/** Whether the device has every message from one position up to before another; the server leaves no gaps. */
export const hasAll = async (db: UserDb, archiveId: string, from: number, before: number): Promise<boolean> =>
  (await rowsBetween(db, archiveId, from, before - 1).count()) >= before - from;

/** The last position that the server gave. */
async function lastPosition(db: UserDb, archiveId: string): Promise<number> {
  const unsent = await unsentOf(db, archiveId);
  const last = await rowsBetween(db, archiveId, 0, Number.MAX_SAFE_INTEGER)
    .reverse()
    .filter(({ id }) => unsent.get(id)?.body.message.chat_id !== 0)
    .first();
  return last?.position ?? 0;
}

/**
 * Brings all that is missing of a conversation onto the device, newest first, one page each time `idle` comes round, so
 * that it can be read without a connection. Stops at `signal`, and throws what a call throws.
 */
export async function completeConversation(
  db: UserDb,
  archiveId: string,
  { idle, signal }: { idle: () => Promise<void>; signal: AbortSignal },
): Promise<void> {
  const end = (await lastPosition(db, archiveId)) + 1;
  if (await hasAll(db, archiveId, 1, end)) return;
  for (let before = end; before > 1; before -= PAGE) {
    const from = Math.max(1, before - PAGE);
    if (await hasAll(db, archiveId, from, before)) continue;
    await idle();
    if (signal.aborted) return;
    await pullBefore(db, archiveId, before);
  }
}
