import { transact } from '#client/platform/db/transact.ts';
import type { UserDb, UserTables } from '#client/platform/db/user-db.ts';
import { enqueue } from '#client/platform/outbox/outbox.ts';
import { PINS, type Pin, unsentPins } from '#client/platform/outbox/pins.ts';
import { sendSoon } from '#client/platform/outbox/start-lanes.ts';
import type { Archive } from '#contract/chat/archive.ts';
import { MAX_PINS } from '#contract/chat/archive-limits.ts';
import type { Clock } from '#domain/clock.ts';

/** Reads the pinned conversations on this device, the last pinned first. Rows without the time are not in its index. */
export const pinnedArchives = (db: UserTables): Promise<Archive[]> => db.archives.orderBy('pinned_at').reverse().toArray();

/**
 * Pins a conversation, or takes it off. Shows at once, and is queued for the server. Returns false, and changes nothing, if as many as
 * possible are pinned.
 */
export async function pinArchive(
  db: UserDb,
  { archiveId, pinned }: Pin,
  { newId = () => crypto.randomUUID(), clock = Date.now }: { newId?: () => string; clock?: Clock } = {},
): Promise<boolean> {
  const isDone = await transact(db, [db.archives, db.outbox], async (db) => {
    const others = (await pinnedArchives(db)).filter(({ id }) => id !== archiveId);
    if (pinned && others.length >= MAX_PINS) return false;
    const now = clock();
    await db.archives.update(archiveId, { pinned_at: pinned ? new Date(now).toISOString() : undefined });
    await dropPins(db, archiveId);
    await enqueue<Pin>(db, { id: newId(), lane: PINS, body: { archiveId, pinned }, createdAt: now });
    return true;
  });
  if (isDone) sendSoon(PINS);
  return isDone;
}

/** Removes the queued and refused pins of a conversation. */
export async function dropPins(db: UserTables, archiveId: string): Promise<void> {
  await db.outbox
    .where('lane')
    .equals(PINS)
    .filter(({ body }) => (body as Pin).archiveId === archiveId)
    .delete();
}

/** Gives the server's rows the pins of the device where these are newer. */
export async function withPins(db: UserTables, listed: Archive[]): Promise<Archive[]> {
  const unsent = new Set((await unsentPins(db)).map(({ body }) => body.archiveId));
  return Promise.all(
    listed.map(async ({ pinned_at, ...row }) => {
      const at = unsent.has(row.id) ? (await db.archives.get(row.id))?.pinned_at : pinned_at;
      return at ? { ...row, pinned_at: at } : row;
    }),
  );
}

/** Takes off the pins that the server does not list. */
export async function dropOtherPins(db: UserTables, pinned: readonly Archive[]): Promise<void> {
  const kept = new Set([...pinned.map(({ id }) => id), ...(await unsentPins(db)).map(({ body }) => body.archiveId)]);
  const others = (await pinnedArchives(db)).filter(({ id }) => !kept.has(id));
  for (const { id } of others) await db.archives.update(id, { pinned_at: undefined });
}

/** Stores a pin from the server, unless this device has a newer one. Null: not pinned. */
export async function takePin(db: UserTables, archiveId: string, pinnedAt: string | null): Promise<void> {
  if ((await unsentPins(db)).some(({ body }) => body.archiveId === archiveId)) return;
  await db.archives.update(archiveId, { pinned_at: pinnedAt ?? undefined });
}
