import * as z from 'zod/mini';
import { type ChatMessage, chatMessage, type Message } from '#contract/chat/chat.ts';
import type { ChatAck } from '#contract/socket.ts';
import type { Authenticate } from '../http/authenticate.ts';
import { problemOf, validationProblem } from '../http/error-handler.ts';
import { Problem, tooMany } from '../http/errors.ts';
import { endSocket } from './end-socket.ts';
import type { RealtimeSocket } from './server.ts';

/** The code of a spent allowance, as a problem and on the wire (spec §8). */
const SPENT = 'subscription-ended';

interface Parts {
  ask: (userId: string, message: ChatMessage) => Promise<Message>;
  authenticate: Authenticate;
  /** False for a user who sends too much. */
  allow: (userId: string) => boolean;
  /** Told of failures that are ours. */
  report: (error: unknown) => void;
}

/** Takes a socket's questions: each is stored or refused, and its acknowledgement says which. */
export function takeMessages(socket: RealtimeSocket, { ask, authenticate, allow, report }: Parts): void {
  async function take(message: unknown): Promise<ChatAck> {
    if (!allow(socket.data.identity.userId)) throw tooMany('That was a lot of questions at once. Please wait a moment and try again.');
    const parsed = z.safeParse(chatMessage, message);
    if (!parsed.success) {
      throw validationProblem(parsed.error.issues.map(({ path, message }) => ({ path: path.join('/'), message })));
    }
    // The socket may have outlived its session.
    const { userId } = await authenticate(socket.data.token);
    try {
      return { chat: await ask(userId, parsed.data) };
    } catch (error) {
      if (error instanceof Problem && error.code === SPENT) tellSpent(parsed.data, error.message);
      throw error;
    }
  }

  /** Spec §8: what opens the upgrade modal. */
  function tellSpent(asked: ChatMessage, message: string): void {
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

  // Whatever came over the wire: neither the message nor the acknowledgement need be what the types promise.
  socket.on('chat_message', async (...sent: unknown[]) => {
    const ack = sent.at(-1);
    const result = await take(sent[0]).catch(refuse);
    if (typeof ack === 'function') ack(result);
    if ('error' in result && result.error.status === 401) endSocket(socket);
  });
}
