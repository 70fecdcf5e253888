import { connectedSocket, withSocket } from '#client/platform/live/socket.ts';
import { drain } from '#client/platform/outbox/outbox.ts';
import { QUESTIONS, type Question } from '#client/platform/outbox/questions.ts';
import { createSender } from '#client/platform/outbox/sender.ts';
import { startLane } from '#client/platform/outbox/start-lanes.ts';
import { onSyncTrigger } from '#client/platform/outbox/sync-triggers.ts';
import { signedIn } from '#client/platform/session/signed-in.ts';
import { ratingsLane } from '../rate/rate-answer.ts';
import { pullMissed, takeAnswer } from './receive-answers.ts';
import { sendQuestion, wire } from './send-question.ts';

/** Sends what waits, if there is a connection; otherwise the connection will ask for it. Call it after each new question. */
export const sendSoon = createSender(async () => {
  const user = signedIn();
  if (!user || !connectedSocket()) return 'empty';
  return drain<Question>(user.db, QUESTIONS, (command) => sendQuestion(user.db, command, wire));
});

/**
 * Sends questions and ratings and stores answers for as long as the page lives. Called once, at boot. The socket is a hint, so each
 * connection also reads what was missed.
 */
export function startSendingQuestions(): void {
  withSocket((socket) => {
    // With each answer the server may take a question that it had no room for.
    socket.on('chat_response', (event) => void takeAnswer(event).then(sendSoon));
    socket.on('connect', () => void pullMissed());
  });
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void pullMissed());
  onSyncTrigger(sendSoon);
  startLane(ratingsLane);
}
