import * as z from 'zod/mini';
import { type ChatMessage, chatMessage, type Message } from '#contract/chat/chat.ts';
import type { ChatAck } from '#contract/socket.ts';
import type { Authenticate } from '../http/authenticate.ts';
import { problemOf, validationProblem } from '../http/error-handler.ts';
import { Problem, tooMany } from '../http/errors.ts';
import { inSpan } from '../tracing/spans.ts';
import { endSocket } from './end-socket.ts';
import type { RealtimeSocket } from './server.ts';

/** Error code of a used-up allowance, in the API and on the socket. */
const SPENT = 'subscription-ended';

interface Parts {
  ask: (userId: string, message: ChatMessage) => Promise<Message>;
  authenticate: Authenticate;
  /** Returns false for a user who sends too much. */
  allow: (userId: string) => boolean;
  /** Called with internal errors. */
  report: (error: unknown) => void;
}

/** Stores or refuses a socket's questions; the acknowledgment says which. */
export function takeQuestions(socket: RealtimeSocket, { ask, authenticate, allow, report }: Parts): void {
  async function take(message: unknown): Promise<ChatAck> {
    if (!allow(socket.data.identity.userId)) throw tooMany('Too many questions at once. Wait a moment, then try again.');
    const parsed = z.safeParse(chatMessage, message);
    if (!parsed.success) {
      throw validationProblem(parsed.error.issues.map(({ path, message }) => ({ path: path.join('/'), message })));
    }
    // The session may have ended since the socket connected.
    const { userId } = await authenticate(socket.data.token);
    try {
      return { chat: await ask(userId, parsed.data) };
    } catch (error) {
      if (error instanceof Problem && error.code === SPENT) sendUpgradeResponse(parsed.data, error.message);
      throw error;
    }
  }

  /** Sends the response that opens the upgrade modal. */
  function sendUpgradeResponse(asked: ChatMessage, message: string): void {
    const { client_id, chat_id, archive_id, message: user_message } = asked;
    socket.emit('chat_response', {
      chat_id: chat_id === 0 ? client_id : chat_id,
      archive_id,
      chat_status: 'message',
      user_message,
      message,
      subscription_error: SPENT,
    });
  }

  function refuse(error: unknown): ChatAck {
    const problem = problemOf(error);
    if (!problem) report(error);
    return { error: (problem ?? new Problem(500, 'internal', 'Something went wrong on our side. Please try again.')).body() };
  }

  // Clients can send anything: neither the message nor the acknowledgment must match the types.
  socket.on('chat_message', async (...sent: unknown[]) => {
    const ack = sent.at(-1);
    const result = await inSpan('socket chat_message', { kind: 'server' }, () => take(sent[0])).catch(refuse);
    if (typeof ack === 'function') ack(result);
    if ('error' in result && result.error.status === 401) endSocket(socket);
  });
}
