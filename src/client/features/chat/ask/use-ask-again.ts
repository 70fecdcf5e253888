import { userDb } from '#client/platform/db/user-db.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import type { LocalMessage } from '../conversation/conversation.ts';
import { askAgain } from './ask-question.ts';
import { sendSoon } from './send-questions.ts';

/** Asks this message's question once more, as a question of its own. */
export function useAskAgain(message: LocalMessage): () => void {
  const userId = useClaims().sub;
  return () => void askAgain(userDb(userId), userId, message).then(sendSoon);
}
