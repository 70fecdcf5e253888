import type { Chat, ChatMessage } from '../../../contract/chat';
import type { Tx } from '../../db/open';
import { badRequest, notFound } from '../../http/errors';
import { type AnsweringParts, createAnswering } from './answering';
import { storable } from './storable';
import { type ChatRow, findChat, insertQuestion, listChats, lockChat, replaceQuestion } from './store';

const ANSWER_TIMEOUT = 60_000;

interface Parts extends Omit<AnsweringParts, 'timeout'> {
  /** How long one try at an answer may take, ms. */
  answerTimeout?: number;
}

export type Chats = ReturnType<typeof createChats>;

const toChat = (row: ChatRow): Chat => ({
  id: row.id,
  archive_id: row.archiveId,
  position: row.position,
  user_message: row.userMessage,
  ai_response: row.aiResponse,
  chat_status: row.answeredAt ? 'ai-responce' : 'message',
  preview_image: null,
  chat_image: null,
  created_at: row.createdAt.toISOString(),
  failed: row.failed,
});

/** Stores questions and sees to it that each is answered once, whoever is connected when. */
export function createChats({ db, archives, analyst, events, clock, log, alone, answerTimeout = ANSWER_TIMEOUT }: Parts) {
  const answering = createAnswering({ db, archives, analyst, events, clock, log, alone, timeout: answerTimeout });

  async function store(tx: Tx, userId: string, message: ChatMessage, text: string): Promise<ChatRow> {
    await archives.hold(tx, userId, message.archive_id);
    const known = await findChat(tx, userId, message.client_id);
    return (
      known ?? insertQuestion(tx, { userId, id: message.client_id, archiveId: message.archive_id, text, createdAt: new Date(clock()) })
    );
  }

  async function edit(tx: Tx, userId: string, chatId: string, message: ChatMessage, text: string): Promise<ChatRow> {
    const chat = await lockChat(tx, userId, chatId);
    if (chat?.archiveId !== message.archive_id.toLowerCase()) throw notFound('This message is no longer there.');
    const editId = message.client_id.toLowerCase();
    return chat.edits.includes(editId) ? chat : replaceQuestion(tx, chat, editId, text);
  }

  return {
    /**
     * Stores a question, in an archive that need not exist yet, or puts it in place of the earlier one `chat_id` names.
     * The same `client_id` again changes nothing and returns the row as it is. The answer follows by `events`.
     */
    async ask(userId: string, message: ChatMessage): Promise<Chat> {
      if (message.user_id !== userId) throw notFound();
      if (message.chat_image !== null) throw badRequest('image_unsupported', 'Chart images cannot be read here yet.');
      const text = storable(message.message).trim();
      if (!text) throw badRequest('validation', 'Enter chat description!', { fields: { message: 'Enter chat description!' } });
      const { chat_id: earlier } = message;
      const row = await db.transaction((tx) =>
        earlier === 0 ? store(tx, userId, message, text) : edit(tx, userId, earlier, message, text),
      );
      answering.wake(userId, row.archiveId);
      return toChat(row);
    },

    /** An archive's questions and answers in order; 404 for an archive that is not this user's. */
    async list(userId: string, archiveId: string): Promise<Chat[]> {
      if (!(await archives.exists(userId, archiveId))) throw notFound();
      const rows = await listChats(db, userId, archiveId);
      return rows.map(toChat);
    },

    start: answering.start,
    close: answering.close,
  };
}
