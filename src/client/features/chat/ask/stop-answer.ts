import { call } from '#client/platform/api/call.ts';
import { transact } from '#client/platform/db/transact.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { loadOneMessageAnswer } from '../conversation/answer-schemas.ts';
import { storeChanged } from '../conversation/conversation.ts';

/** Stops a pending answer; an answer that came first stays. Throws like `call`. */
export async function stopAnswer(db: UserDb, messageId: string): Promise<void> {
  const { data } = await call(`/chat/${encodeURIComponent(messageId)}/stop`, { method: 'POST', answer: loadOneMessageAnswer });
  await transact(db, [db.archives, db.messages, db.outbox], (db) => storeChanged(db, data));
}
