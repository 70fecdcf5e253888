import { errorMessage } from '#client/platform/api/errors.ts';
import { isNotStored } from '#client/platform/db/not-stored.ts';
import { isReachable } from '#client/platform/live/reachability.ts';
import { connectedSocket, onEvent, onMissed } from '#client/platform/live/socket.ts';
import { socketBlocked } from '#client/platform/live/socket-blocked.ts';
import { drain } from '#client/platform/outbox/outbox.ts';
import { QUESTIONS, type Question } from '#client/platform/outbox/questions.ts';
import { createSender } from '#client/platform/outbox/sender.ts';
import { startLane } from '#client/platform/outbox/start-lanes.ts';
import { onSyncTrigger } from '#client/platform/outbox/sync-triggers.ts';
import { signedIn } from '#client/platform/session/signed-in.ts';
import { toast } from '#client/platform/toast.ts';
import { ratingsLane } from '../rate/rate-answer.ts';
import { pullMissed, pullUnanswered, takeAnswer } from './receive-answers.ts';

/** Interval of reloading conversations that wait for an answer, ms. */
const UNANSWERED_INTERVAL = 20_000;
/** The same on a network that blocks the socket, ms. */
const BLOCKED_INTERVAL = 3_000;

/** Whether the network blocks the socket, and the server can be reached over HTTP. */
const usesHttp = () => socketBlocked.get() && isReachable();

/** Sends queued questions if there is a connection. Call it after each new question; each connection calls it too. */
export const sendSoon = createSender(async () => {
  const user = signedIn();
  if (!user || !(connectedSocket() || usesHttp())) return 'empty';
  return drain<Question>(user.db, QUESTIONS, async (command) => {
    const { sendQuestion, wire } = await import('./send-question.ts');
    return sendQuestion(user.db, command, wire);
  });
});

/** Its question waits on the screen until the device has room. */
function tellUnstored(error: unknown): never {
  if (isNotStored(error)) toast(errorMessage(error));
  throw error;
}

/**
 * Sends questions and ratings and stores answers. Called once, at startup. Each connection also reloads missed answers,
 * because the socket does not guarantee delivery.
 */
export function startSendingQuestions(): void {
  // After an answer the server may accept a question that it refused as one too many.
  onEvent('chat_response', (event) => takeAnswer(event).catch(tellUnstored).finally(sendSoon));
  onMissed(() => void pullMissed());
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void pullMissed());
  // The event of an answer is lost when its process is killed after storing it.
  setInterval(() => document.visibilityState === 'visible' && connectedSocket() && void pullUnanswered(), UNANSWERED_INTERVAL);
  socketBlocked.subscribe(sendSoon);
  setInterval(() => document.visibilityState === 'visible' && usesHttp() && void pullUnanswered(), BLOCKED_INTERVAL);
  onSyncTrigger(sendSoon);
  startLane(ratingsLane);
}
