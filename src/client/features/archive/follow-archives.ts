import { load } from '#client/platform/cache/resource.ts';
import { onMissed, withSocket } from '#client/platform/live/socket.ts';
import { startLane } from '#client/platform/outbox/start-lanes.ts';
import { signedIn } from '#client/platform/session/signed-in.ts';
import { titleResponse } from '#contract/chat/chat.ts';
import { archiveEditsLane, dropEdit, isEdited } from './archive-edits.ts';
import { archives } from './archives.ts';

/** Reloads the list. On failure the stored list stays, and the next connection retries. */
async function pullArchives(): Promise<void> {
  const user = signedIn();
  if (user) await load(user.db, archives, { userId: user.userId }).catch(() => undefined);
}

async function takeBack(archiveId: string): Promise<void> {
  const user = signedIn();
  if (user) await dropEdit(user.db, archiveId);
  await pullArchives();
}

/** Stores a conversation's new title. An unknown conversation was started on another device. */
export async function takeTitle(event: unknown): Promise<void> {
  const title = titleResponse.safeParse(event);
  const user = signedIn();
  if (!title.success || !user) return;
  const { archive_id, title: archive_title } = title.data;
  if (await isEdited(user.db, archive_id)) return; // the queued edit is newer
  const known = await user.db.archives.update(archive_id, { archive_title });
  if (!known && !(await user.db.archives.get(archive_id))) await pullArchives();
}

/**
 * Syncs the stored list: sends renames and deletions, reloads the list at each connection, and stores new titles. Called
 * once, at startup. `tell` shows a refusal to the user.
 */
export function startFollowingArchives(tell: (message: string) => void): void {
  startLane(
    archiveEditsLane(() => void pullArchives()),
    ({ archiveId, title }, reason) => {
      tell(`The chat could not be ${title === null ? 'deleted' : 'renamed'}. ${reason}`);
      void takeBack(archiveId);
    },
  );
  onMissed(() => void pullArchives());
  withSocket((socket) => socket.on('generate_title_response', (event) => void takeTitle(event)));
}
