import { archiveAnswer } from '../../../contract/archive';
import type { Chat, ChatMessage } from '../../../contract/chat';
import { chatAck } from '../../../contract/socket';
import { call } from '../../platform/api/call';
import { ApiError, NetworkError } from '../../platform/api/errors';
import type { UserDb } from '../../platform/db/user-db';
import { reportUnreachable } from '../../platform/live/reachability';
import { connectedSocket } from '../../platform/live/socket';
import type { Command } from '../../platform/outbox/command';
import { refusedFor } from '../../platform/outbox/http-lanes';
import { type Question, unsentQuestions } from '../../platform/outbox/questions';
import { storeChats } from './conversation';

const ACK_TIMEOUT = 20_000;

/** How a question reaches the server. Both throw ApiError when it is refused and NetworkError when nothing is known. */
export interface Wire {
  createArchive(userId: string, archiveId: string): Promise<void>;
  /** Resolves with the stored row. The same question again is the same row. */
  ask(message: ChatMessage): Promise<Chat>;
}

export const wire: Wire = {
  async createArchive(userId, id) {
    await call('/chat/archives/', { method: 'POST', body: { userId, id }, key: id, answer: archiveAnswer });
  },

  async ask(message) {
    // A question is never left to the socket's own buffer: it would be sent whenever, and nobody would know.
    const socket = connectedSocket();
    if (!socket) throw new NetworkError('unreachable');
    const answer: unknown = await socket
      .timeout(ACK_TIMEOUT)
      .emitWithAck('chat_message', message)
      .catch(() => {
        reportUnreachable(); // whatever the socket says of itself
        throw new NetworkError('timeout');
      });
    const ack = chatAck.parse(answer);
    if ('error' in ack) throw new ApiError(ack.error);
    return ack.chat;
  },
};

/**
 * Sends one question, its conversation first where that began here; the acknowledged row takes the place of ours.
 * Throws Refused when the server will not have it, and anything else when it should be sent again later.
 */
export async function sendQuestion(db: UserDb, { body }: Command<Question>, to: Wire): Promise<void> {
  const { message } = body;
  try {
    if (body.newArchive) {
      await to.createArchive(message.user_id, message.archive_id);
      await markBorn(db, message.archive_id);
    }
    const chat = await to.ask(message);
    await db.transaction('rw', db.messages, db.outbox, () => storeChats(db, [chat]));
  } catch (error) {
    throw refusedFor(error);
  }
}

/** The server knows the conversation now: none of its other questions needs to create it, and it can be read again. */
async function markBorn(db: UserDb, archiveId: string): Promise<void> {
  await db.transaction('rw', db.outbox, async () => {
    const unsent = await unsentQuestions(db);
    const others = unsent.filter(({ body }) => body.newArchive && body.message.archive_id === archiveId);
    await db.outbox.bulkPut(others.map((command) => ({ ...command, body: { ...command.body, newArchive: false } })));
  });
}
