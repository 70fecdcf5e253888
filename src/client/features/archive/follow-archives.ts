import { titleResponse } from '../../../contract/chat';
import { load } from '../../platform/cache/resource';
import { withSocket } from '../../platform/live/socket';
import { signedIn } from '../../platform/session/signed-in';
import { archives } from './archives';

/** Asks for the list again. Without an answer the list stays as it is; the next connection asks again. */
async function pullArchives(): Promise<void> {
  const user = signedIn();
  if (user) await load(user.db, archives, { userId: user.userId }).catch(() => undefined);
}

/** Stores the title a conversation has been given; an unknown conversation began on another device. */
export async function takeTitle(event: unknown): Promise<void> {
  const title = titleResponse.safeParse(event);
  const user = signedIn();
  if (!title.success || !user) return;
  const known = await user.db.archives.update(title.data.archive_id, { archive_title: title.data.title });
  if (!known && !(await user.db.archives.get(title.data.archive_id))) await pullArchives();
}

/** Keeps the stored list in step with the socket: pulls it at each connection and stores titles as they are made. */
export function startFollowingArchives(): void {
  withSocket((socket) => {
    socket.on('connect', () => void pullArchives());
    socket.on('generate_title_response', (event) => void takeTitle(event));
  });
}
