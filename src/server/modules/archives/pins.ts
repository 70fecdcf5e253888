import { MAX_PINS } from '#contract/chat/archive-limits.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/open.ts';
import { notFound, Problem } from '#server/http/errors.ts';
import { type ArchiveRow, findArchive, listPinned, setPinned } from './store.ts';

const TOO_MANY = `You have ${MAX_PINS} pinned chats. Unpin one to pin another.`;

interface Pinning {
  userId: string;
  id: string;
  isPinned: boolean;
  /** Unix milliseconds. */
  now: number;
}

/** Pins an archive, or takes it off; a pinned one keeps its place. Throws 404 if it does not exist, and 409 at the limit. */
export async function pinArchive(tx: Tx, { userId, id, isPinned, now }: Pinning): Promise<ArchiveRow> {
  await lockUser(tx, userId);
  const row = await findArchive(tx, userId, id);
  if (!row) throw notFound();
  if (isPinned === (row.pinnedAt !== null)) return row;
  const others = isPinned ? await listPinned(tx, userId) : [];
  if (others.length >= MAX_PINS) throw new Problem(409, 'too_many_pins', TOO_MANY);
  // First also after a clock that was wrong.
  const pinnedAt = isPinned ? new Date(Math.max(now, (others[0]?.pinnedAt?.getTime() ?? 0) + 1)) : null;
  const changed = await setPinned(tx, userId, id, pinnedAt);
  if (!changed) throw notFound();
  return changed;
}
