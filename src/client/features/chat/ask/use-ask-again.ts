import { userDb } from '#client/platform/db/user-db.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import type { LocalMessage } from '../conversation/conversation.ts';
import { askAgain } from './ask-question.ts';
import { sendSoon } from './send-questions.ts';

/** Returns a function that asks this message's question again. */
export function useAskAgain(message: LocalMessage): () => void {
  const userId = useClaims().sub;
  return () => void askAgain(userDb(userId), userId, message).then(sendSoon);
}
