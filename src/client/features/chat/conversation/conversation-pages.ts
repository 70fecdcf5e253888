import { transact } from '#client/platform/db/transact.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { fetchPage, type LocalMessage, PAGE, storePage, unsentOf } from './conversation.ts';
import { rowsBetween } from './message-rows.ts';

/** Fetches and stores the page of messages before a position. Throws like `call`. */
export async function pullBefore(db: UserDb, archiveId: string, before: number): Promise<void> {
  const page = await fetchPage(db, archiveId, before);
  await transact(db, [db.archives, db.messages, db.outbox], (db) => storePage(db, page));
}

/** Ids of messages that this page has fetched again because it could not show them. */
const repaired = new Set<string>();

/** Fetches a message again that cannot be shown, once. Throws like `call`. */
export async function repairMessage(db: UserDb, { id, archive_id, position }: LocalMessage): Promise<void> {
  if (repaired.has(id)) return;
  repaired.add(id);
  await pullBefore(db, archive_id, position + 1);
}

/** Whether the device has every message of [from, before). Positions have no gaps on the server. */
export const hasAll = async (db: UserDb, archiveId: string, from: number, before: number): Promise<boolean> =>
  (await rowsBetween(db, archiveId, from, before - 1).count()) >= before - from;

/** Returns the last position that the server assigned. */
async function lastPosition(db: UserDb, archiveId: string): Promise<number> {
  const unsent = await unsentOf(db, archiveId);
  const last = await rowsBetween(db, archiveId, 0, Number.MAX_SAFE_INTEGER)
    .reverse()
    .filter(({ id }) => unsent.get(id)?.body.message.chat_id !== 0)
    .first();
  return last?.position ?? 0;
}

/**
 * Downloads the missing messages of a conversation for offline reading, newest first, one page per `idle`. Stops when
 * `signal` aborts. Throws like `call`.
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
