import { load } from '#client/platform/cache/resource.ts';
import { transact } from '#client/platform/db/transact.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { onEvent, onMissed } from '#client/platform/live/socket.ts';
import { startLane } from '#client/platform/outbox/start-lanes.ts';
import { signedIn } from '#client/platform/session/signed-in.ts';
import { titleResponse } from '#contract/chat/chat.ts';
import { dropEdit, isEdited } from './archive-edits.ts';
import { archiveEditsLane, pinsLane } from './archive-lanes.ts';
import { archives } from './archives.ts';
import { dropPins, takePin } from './pins.ts';

/** Reloads the list. On failure the stored list stays, and the next connection retries. */
async function pullArchives(): Promise<void> {
  const user = signedIn();
  if (user) await load(user.db, archives, { userId: user.userId }).catch(() => undefined);
}

async function takeBack(archiveId: string, drop: (db: UserDb, archiveId: string) => Promise<void>): Promise<void> {
  const user = signedIn();
  if (user) await drop(user.db, archiveId);
  await pullArchives();
}

/** Stores a conversation's new title and pin. An unknown conversation was started on another device. */
export async function takeTitle(event: unknown): Promise<void> {
  const title = titleResponse.safeParse(event);
  const user = signedIn();
  if (!title.success || !user) return;
  const { archive_id, title: archive_title, pinned_at } = title.data;
  // In one transaction: an edit that is queued between reading and writing would be overwritten.
  const isKnown = await transact(user.db, [user.db.archives, user.db.outbox], async (db) => {
    if (pinned_at !== undefined) await takePin(db, archive_id, pinned_at);
    if (await isEdited(db, archive_id)) return true; // the queued edit is newer
    await db.archives.update(archive_id, { archive_title });
    return (await db.archives.get(archive_id)) !== undefined;
  });
  if (!isKnown) await pullArchives();
}

/**
 * Syncs the stored list: sends renames, deletions and pins, reloads the list at each connection, and stores new titles and pins. Called
 * once, at startup. `tell` shows a refusal to the user.
 */
export function startFollowingArchives(tell: (message: string) => void): void {
  startLane(
    archiveEditsLane(() => void pullArchives()),
    ({ archiveId, title }, reason) => {
      tell(`The chat could not be ${title === null ? 'deleted' : 'renamed'}. ${reason}`);
      void takeBack(archiveId, dropEdit);
    },
  );
  startLane(
    pinsLane(() => void pullArchives()),
    ({ archiveId, pinned }, reason) => {
      tell(`The chat could not be ${pinned ? 'pinned' : 'unpinned'}. ${reason}`);
      void takeBack(archiveId, dropPins);
    },
  );
  onMissed(() => void pullArchives());
  onEvent('generate_title_response', takeTitle);
}
