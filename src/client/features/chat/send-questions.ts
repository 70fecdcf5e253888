import { connectedSocket, withSocket } from '../../platform/live/socket';
import { onChance } from '../../platform/outbox/chances';
import { drain } from '../../platform/outbox/outbox';
import { QUESTIONS, type Question } from '../../platform/outbox/questions';
import { createSender } from '../../platform/outbox/sender';
import { startLane } from '../../platform/outbox/start-lanes';
import { signedIn } from '../../platform/session/signed-in';
import { ratingsLane } from './rate-answer';
import { pullMissed, takeAnswer } from './receive-answers';
import { sendQuestion, wire } from './send-question';

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
  onChance(sendSoon);
  startLane(ratingsLane);
}
