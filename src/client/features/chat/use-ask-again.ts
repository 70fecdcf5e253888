import { userDb } from '../../platform/db/user-db';
import { useClaims } from '../../platform/session/use-session';
import { askAgain } from './ask-question';
import type { Message } from './conversation';
import { sendSoon } from './send-questions';

/** Asks this message's question once more, as a question of its own. */
export function useAskAgain(message: Message): () => void {
  const userId = useClaims().sub;
  return () => void askAgain(userDb(userId), userId, message).then(sendSoon);
}
