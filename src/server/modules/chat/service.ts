import type { Archive } from '#contract/chat/archive.ts';
import { type Chat, type ChatMessage, MAX_CHATS_PAGE, type Rating } from '#contract/chat/chat.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { badRequest, notFound, Problem } from '#server/http/errors.ts';
import { type AnsweringParts, createAnswering } from './answering.ts';
import type { Images } from './images.ts';
import { storable } from './storable.ts';
import {
  type ChatRow,
  countChats,
  countUnanswered,
  deleteChats,
  findChat,
  insertQuestion,
  isStarted,
  listChats,
  lockChat,
  rateAnswer,
  replaceQuestion,
  stopQuestion,
} from './store.ts';
import { toChat } from './to-message.ts';

const ANSWER_TIMEOUT = 60_000;
/** Questions of one user that may wait for an answer. */
export const MAX_UNANSWERED = 20;

interface Parts extends Omit<AnsweringParts, 'timeout' | 'images' | 'picturesAtOnce'> {
  images: Images;
  /** How long one try at an answer may take, ms. */
  answerTimeout?: number;
  /** Questions with a picture that this process answers at a time. */
  picturesAtOnce?: number;
}

export type Chats = ReturnType<typeof createChats>;

/** Stores questions and sees to it that each is answered once, whoever is connected when. */
export function createChats({ images, answerTimeout = ANSWER_TIMEOUT, picturesAtOnce = 1, ...parts }: Parts) {
  const { db, archives, allowances, events, clock } = parts;
  const answering = createAnswering({ ...parts, images, timeout: answerTimeout, picturesAtOnce });

  /** Ends what an unanswered question has reserved: it counts once the analyst was asked. */
  const settle = (tx: Tx, chat: ChatRow): Promise<void> =>
    isStarted(chat) ? allowances.spend(tx, chat.userId, [chat.id]) : allowances.release(tx, chat.userId, [chat.id]);

  /** Throws 429 for a user with as many unanswered questions as one may have. The transaction must hold the user. */
  async function refuseTooMany(tx: Tx, userId: string): Promise<void> {
    if ((await countUnanswered(tx, userId)) < MAX_UNANSWERED) return;
    const message = `You have ${MAX_UNANSWERED} questions without an answer. This one is sent after the next answer.`;
    throw new Problem(429, 'too_many_unanswered', message);
  }

  /** Takes what a question costs and shows. */
  async function take(tx: Tx, userId: string, chatId: string, { id, imageId }: { id: string; imageId: string | null }): Promise<void> {
    await allowances.reserve(tx, { userId, id, chatId, kind: imageId === null ? 'question' : 'chart' });
    if (imageId !== null) await images.use(tx, userId, imageId);
  }

  async function store(tx: Tx, userId: string, { id, archiveId, text, imageId }: Asked): Promise<ChatRow> {
    await archives.hold(tx, userId, archiveId);
    const known = await findChat(tx, userId, id);
    if (known) return known;
    await refuseTooMany(tx, userId);
    await take(tx, userId, id, { id, imageId });
    return insertQuestion(tx, { userId, id, archiveId, text, imageId, createdAt: new Date(clock()) });
  }

  async function replace(tx: Tx, userId: string, chatId: string, { id, archiveId, text, imageId }: Asked): Promise<ChatRow> {
    const chat = await lockChat(tx, userId, chatId);
    if (chat?.archiveId !== archiveId) throw notFound('This message is no longer there.');
    if (chat.edits.includes(id)) return chat;
    if (chat.answeredAt) await refuseTooMany(tx, userId);
    else await settle(tx, chat);
    await take(tx, userId, chat.id, { id, imageId });
    return replaceQuestion(tx, chat, { editId: id, text, imageId });
  }

  return {
    /**
     * Stores a question, in an archive that need not exist yet, or puts it in place of the earlier one `chat_id` names.
     * The same `client_id` again changes nothing and returns the row as it is. The answer follows by `events`.
     * Refusals are those of contract/chat `chatMessage`.
     */
    async ask(userId: string, message: ChatMessage): Promise<Chat> {
      if (message.user_id !== userId) throw notFound();
      const text = storable(message.message).trim();
      if (!text) throw badRequest('validation', 'Enter chat description!', { fields: { message: 'Enter chat description!' } });
      const { chat_id: earlier } = message;
      const asked: Asked = {
        id: message.client_id.toLowerCase(),
        archiveId: message.archive_id.toLowerCase(),
        text,
        imageId: message.chat_image?.toLowerCase() ?? null,
      };
      const row = await db.transaction(async (tx) => {
        await lockUser(tx, userId);
        return earlier === 0 ? store(tx, userId, asked) : replace(tx, userId, earlier, asked);
      });
      answering.drop((chat) => isOlder(chat, row));
      answering.wake(userId, row.archiveId);
      return toChat(row);
    },

    /** An archive with its last questions and answers in order; 404 for an archive that is not this user's. */
    async list(
      userId: string,
      archiveId: string,
      { limit = MAX_CHATS_PAGE, before }: { limit?: number | undefined; before?: number | undefined },
    ): Promise<{ archive: Archive; chats: Chat[]; total: number }> {
      const archive = await archives.find(userId, archiveId);
      if (!archive) throw notFound();
      const page = { limit: Math.min(limit, MAX_CHATS_PAGE), before };
      const [rows, total] = await Promise.all([listChats(db, userId, archiveId, page), countChats(db, userId, archiveId)]);
      return { archive, chats: rows.map(toChat), total };
    },

    async read(userId: string, id: string, at: Db = db): Promise<Chat> {
      const row = await findChat(at, userId, id);
      if (!row) throw notFound();
      return toChat(row);
    },

    /** Ends a question that has no answer yet: for nothing until the analyst was asked. `tell` is due once that is committed. Once answered, nothing changes. */
    async stop(tx: Tx, userId: string, id: string): Promise<{ chat: Chat; tell: () => void }> {
      const chat = await lockChat(tx, userId, id);
      if (!chat) throw notFound();
      if (chat.answeredAt) return { chat: toChat(chat), tell: () => undefined };
      await settle(tx, chat);
      const row = await stopQuestion(tx, chat, new Date(clock()));
      const stopped = toChat(row);
      return {
        chat: stopped,
        tell() {
          answering.drop((underway) => isOlder(underway, row));
          const { id: chat_id, archive_id, chat_status, user_message, ai_response } = stopped;
          events.emit('response', userId, { chat_id, archive_id, chat_status, user_message, ai_response, chat: stopped });
        },
      };
    },

    /** Rates an answer; a question without one stays as it is. */
    async rate(tx: Tx, userId: string, id: string, rating: Rating | null): Promise<Chat> {
      await rateAnswer(tx, userId, id, rating);
      const row = await findChat(tx, userId, id);
      if (!row) throw notFound();
      return toChat(row);
    },

    /** Deletes an archive with all that is in it; `tell` is due once that is committed. 404 when it is not there. */
    async remove(tx: Tx, userId: string, archiveId: string): Promise<{ tell: () => void }> {
      await lockUser(tx, userId);
      if (!(await archives.lock(tx, userId, archiveId))) throw notFound();
      const gone = await deleteChats(tx, userId, archiveId);
      const ids = gone.map(({ id }) => id);
      await allowances.spend(
        tx,
        userId,
        gone.filter(isStarted).map(({ id }) => id),
      );
      await allowances.release(tx, userId, ids);
      const { removeFiles } = await images.forget(
        tx,
        userId,
        gone.flatMap(({ imageId }) => imageId ?? []),
      );
      await archives.remove(tx, userId, archiveId);
      return {
        tell() {
          answering.drop((chat) => chat.userId === userId && ids.includes(chat.id));
          removeFiles();
        },
      };
    },

    start: answering.start,
    close: answering.close,
  };
}

interface Asked {
  /** Of the question, edit or new try. */
  id: string;
  archiveId: string;
  text: string;
  imageId: string | null;
}

/** An earlier version of the same question. */
const isOlder = (chat: ChatRow, than: ChatRow): boolean =>
  chat.userId === than.userId && chat.id === than.id && chat.version < than.version;
