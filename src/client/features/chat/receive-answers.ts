import { chatResponse } from '../../../contract/chat';
import { load } from '../../platform/cache/resource';
import type { UserDb } from '../../platform/db/user-db';
import { signedIn } from '../../platform/session/signed-in';
import { conversation } from './conversation';

/** Conversations on the screen, by how often: what was missed is read again for these in any case. */
const open = new Map<string, number>();

/** Says that a conversation is on the screen; returns how to say that it is not any more. */
export function keepOpen(archiveId: string): () => void {
  open.set(archiveId, (open.get(archiveId) ?? 0) + 1);
  return () => {
    const others = (open.get(archiveId) ?? 1) - 1;
    if (others > 0) open.set(archiveId, others);
    else open.delete(archiveId);
  };
}

/** Without an answer, what is stored stays; the next connection asks again. */
const pull = (db: UserDb, userId: string, archiveId: string) => load(db, conversation, { userId, archiveId }).catch(() => undefined);

/** Stores an answer as it comes over the socket. An error takes the answer's place (spec §8). */
export async function takeAnswer(event: unknown): Promise<void> {
  const parsed = chatResponse.safeParse(event);
  const user = signedIn();
  if (!parsed.success || !user) return;
  const { chat_id, archive_id, chat_status, error, ai_response, message } = parsed.data;
  const answer = { chat_status, ai_response: error ?? ai_response ?? message ?? '' };
  const stored = await user.db.transaction('rw', user.db.messages, user.db.outbox, async () => {
    await user.db.outbox.where('id').equals(chat_id).delete(); // answered is stored, even where the acknowledgement was lost
    return user.db.messages.update(chat_id, answer);
  });
  if (!stored) await pull(user.db, user.userId, archive_id); // asked on another device
}

/** Reads again what the socket may have missed: the conversations on the screen and those that wait for an answer. */
export async function pullMissed(): Promise<void> {
  const user = signedIn();
  if (!user) return;
  const waiting = await user.db.messages.filter(({ chat_status }) => chat_status === 'message').toArray();
  const ids = new Set([...open.keys(), ...waiting.map(({ archive_id }) => archive_id)]);
  await Promise.all([...ids].map((archiveId) => pull(user.db, user.userId, archiveId)));
}
