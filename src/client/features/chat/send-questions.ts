import { isReachable, onReachabilityChange } from '../../platform/live/reachability';
import { connectedSocket, withSocket } from '../../platform/live/socket';
import { backoff, drain } from '../../platform/outbox/outbox';
import { QUESTIONS, type Question } from '../../platform/outbox/questions';
import { onSessionChange } from '../../platform/session/session';
import { signedIn } from '../../platform/session/signed-in';
import { pullMissed, takeAnswer } from './receive-answers';
import { sendQuestion, wire } from './send-question';

let sending = false;
/** Something was asked for while a drain was under way. */
let again = false;
let failures = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Sends what waits, if there is a connection; otherwise the connection will ask for it. Call it after each new question. */
export function sendSoon(): void {
  if (sending) again = true;
  else void sendAll();
}

async function sendAll(): Promise<void> {
  const user = signedIn();
  if (!user || !connectedSocket()) return;
  clearTimeout(timer);
  sending = true;
  again = false;
  try {
    const result = await drain<Question>(user.db, QUESTIONS, (command) => sendQuestion(user.db, command, wire));
    if (result === 'stopped') retryLater();
    else failures = 0;
  } catch (error) {
    console.error('the questions could not be read from the device', error);
    retryLater();
  } finally {
    sending = false;
  }
  if (again) sendSoon();
}

function retryLater() {
  timer = setTimeout(sendSoon, backoff(failures++));
}

/**
 * Sends questions and stores answers for as long as the page lives. Called once, at boot. A drain is asked for
 * whenever one may succeed (failure mode 10); the socket is a hint, so each connection also reads what was missed.
 */
export function startSendingQuestions(): void {
  withSocket((socket) => {
    socket.on('chat_response', (event) => void takeAnswer(event));
    socket.on('connect', () => {
      sendSoon();
      void pullMissed();
    });
  });
  onReachabilityChange(() => isReachable() && sendSoon());
  onSessionChange(sendSoon);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible') return;
    sendSoon();
    void pullMissed();
  });
  sendSoon();
}
