import { call } from '#client/platform/api/call.ts';
import { ApiError, NetworkError } from '#client/platform/api/errors.ts';
import { upload } from '#client/platform/api/upload.ts';
import { transact } from '#client/platform/db/transact.ts';
import type { AttachmentRow, UserDb } from '#client/platform/db/user-db.ts';
import { reportUnreachable } from '#client/platform/live/reachability.ts';
import { connectedSocket } from '#client/platform/live/socket.ts';
import { ARCHIVES, replaceArchiveEdit } from '#client/platform/outbox/archives.ts';
import type { Command } from '#client/platform/outbox/command.ts';
import { refusedFor } from '#client/platform/outbox/http-lanes.ts';
import { type Question, unsentQuestions } from '#client/platform/outbox/questions.ts';
import { sendSoon } from '#client/platform/outbox/start-lanes.ts';
import { archiveAnswer } from '#contract/chat/archive.ts';
import { type ChatMessage, chatImageAnswer, type Message } from '#contract/chat/chat.ts';
import { chatAck } from '#contract/socket.ts';
import { loadOneMessageAnswer } from '../conversation/answer-schemas.ts';
import { storeChanged } from '../conversation/conversation.ts';
import { askToUpgrade } from '../upgrade/upgrade-prompt.ts';
import { setUploaded } from './upload-progress.ts';

const ACK_TIMEOUT = 20_000;

/** Transport of questions. Its functions throw ApiError for a refusal and NetworkError if the outcome is unknown. */
export interface Wire {
  createArchive(userId: string, archiveId: string): Promise<void>;
  /** Uploads a picture. Idempotent. */
  sendPicture(picture: AttachmentRow): Promise<void>;
  /** Sends a question and resolves with the stored message. Idempotent. */
  ask(message: ChatMessage): Promise<Message>;
}

export const wire: Wire = {
  async createArchive(userId, id) {
    await call('/chat/archives/', { method: 'POST', body: { userId, id }, key: id, answer: archiveAnswer });
  },

  async sendPicture({ id, name, type, bytes }) {
    const form = new FormData();
    form.append('id', id);
    form.append('image', new Blob([bytes], { type }), name);
    const onProgress = (sent: number) => setUploaded(id, sent);
    try {
      await upload('/chat/images', { method: 'POST', form, key: id, answer: chatImageAnswer, onProgress });
    } finally {
      setUploaded(id, undefined);
    }
  },

  async ask(message) {
    // Never use the socket's own buffer: it would send the question later without a result.
    const socket = connectedSocket();
    if (!socket) return askOverHttp(message);
    const answer: unknown = await socket
      .timeout(ACK_TIMEOUT)
      .emitWithAck('chat_message', message)
      .catch(() => {
        reportUnreachable(); // even if the socket still counts as connected
        throw new NetworkError('timeout');
      });
    const ack = chatAck.parse(answer);
    if ('error' in ack) throw new ApiError(ack.error);
    return ack.chat;
  },
};

/** Sends a question from a network that blocks the socket. */
async function askOverHttp(message: ChatMessage): Promise<Message> {
  try {
    return (await call('/chat/questions', { method: 'POST', body: message, answer: loadOneMessageAnswer })).data;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'subscription-ended') askToUpgrade();
    throw error;
  }
}

/** Ids of uploaded pictures, so that a retry does not upload them again. */
const stored = new Set<string>();

/**
 * Sends one question, after its new conversation and its picture, and stores the acknowledged message. Throws Refused if
 * the server refuses it, and any other error if it should be retried later.
 */
export async function sendQuestion(db: UserDb, { id, body }: Command<Question>, to: Wire): Promise<void> {
  const { message } = body;
  try {
    if (body.newArchive) {
      await to.createArchive(message.user_id, message.archive_id);
      if (!(await markBorn(db, message.archive_id, id))) return sendSoon(ARCHIVES);
    }
    await sendPicture(db, message.chat_image, to);
    const acknowledged = await to.ask(message).catch(async (error: unknown) => {
      if (!isMissingPicture(error) || !(await sendPictureAgain(db, message.chat_image, to))) throw error;
      return to.ask(message);
    });
    await transact(db, [db.archives, db.messages, db.outbox, db.attachments], async (db) => {
      await db.outbox.where('id').equals(id).delete();
      await storeChanged(db, acknowledged);
      if (message.chat_image !== null) await db.attachments.delete(message.chat_image);
    });
  } catch (error) {
    throw refusedFor(error);
  }
}

const isMissingPicture = (error: unknown) => error instanceof ApiError && error.code === 'image_missing';

/** Uploads a picture unless the server has it. Without an attachment row, it was uploaded with an earlier question. */
async function sendPicture(db: UserDb, id: string | null, to: Wire): Promise<boolean> {
  if (id === null || stored.has(id)) return false;
  const picture = await db.attachments.get(id);
  if (!picture) return false;
  await to.sendPicture(picture);
  stored.add(id);
  return true;
}

function sendPictureAgain(db: UserDb, id: string | null, to: Wire): Promise<boolean> {
  if (id !== null) stored.delete(id);
  return sendPicture(db, id, to);
}

/**
 * Clears `newArchive` on the conversation's other commands, because the server has created it. Returns false if the user
 * has deleted it meanwhile: its deletion is queued once more, because the first may have reached the server too early.
 */
function markBorn(db: UserDb, archiveId: string, commandId: string): Promise<boolean> {
  return transact(db, [db.archives, db.outbox], async (db) => {
    const unsent = await unsentQuestions(db);
    if (!unsent.some(({ id }) => id === commandId) && !(await db.archives.get(archiveId))) {
      await replaceArchiveEdit(db, { archiveId, title: null });
      return false;
    }
    const others = unsent.filter(({ body }) => body.newArchive && body.message.archive_id === archiveId);
    await db.outbox.bulkPut(others.map((command) => ({ ...command, body: { ...command.body, newArchive: false } })));
    return true;
  });
}
