import { chatAnswer } from '../../../contract/chat';
import { call } from '../../platform/api/call';
import type { UserDb } from '../../platform/db/user-db';
import { storeChats } from './conversation';

/** Ends the wait for an answer; one that came first stays. Throws as `call`. */
export async function stopAnswer(db: UserDb, messageId: string): Promise<void> {
  const { data } = await call(`/chat/${encodeURIComponent(messageId)}/stop`, { method: 'POST', answer: chatAnswer });
  await db.transaction('rw', db.messages, db.outbox, () => storeChats(db, [data]));
}
