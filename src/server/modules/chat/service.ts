import type { Archive } from '#contract/chat/archive.ts';
import { type ChatMessage, MAX_MESSAGES_PAGE, type Message, type Rating } from '#contract/chat/chat.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { badRequest, notFound, Problem } from '#server/http/errors.ts';
import { type AnsweringParts, createAnswering } from './answering.ts';
import type { Images } from './images.ts';
import { storable } from './storable.ts';
import {
  countMessages,
  countUnanswered,
  deleteMessages,
  findMessage,
  insertQuestion,
  isStarted,
  listMessages,
  lockMessage,
  type MessageRow,
  rateAnswer,
  replaceQuestion,
  stopQuestion,
} from './store.ts';
import { toMessage } from './to-message.ts';

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

export type Conversations = ReturnType<typeof createConversations>;

/** Stores questions and sees to it that each is answered once, whoever is connected when. */
export function createConversations({ images, answerTimeout = ANSWER_TIMEOUT, picturesAtOnce = 1, ...parts }: Parts) {
  const { db, archives, allowances, events, clock } = parts;
  const answering = createAnswering({ ...parts, images, timeout: answerTimeout, picturesAtOnce });

  /** Ends what an unanswered question has reserved: it counts once the analyst was asked. */
  const settle = (tx: Tx, message: MessageRow): Promise<void> =>
    isStarted(message) ? allowances.spend(tx, message.userId, [message.id]) : allowances.release(tx, message.userId, [message.id]);

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

  async function store(tx: Tx, userId: string, { id, archiveId, text, imageId }: Asked): Promise<MessageRow> {
    await archives.hold(tx, userId, archiveId);
    const known = await findMessage(tx, userId, id);
    if (known) return known;
    await refuseTooMany(tx, userId);
    await take(tx, userId, id, { id, imageId });
    return insertQuestion(tx, { userId, id, archiveId, text, imageId, createdAt: new Date(clock()) });
  }

  async function replace(tx: Tx, userId: string, chatId: string, { id, archiveId, text, imageId }: Asked): Promise<MessageRow> {
    const message = await lockMessage(tx, userId, chatId);
    if (message?.archiveId !== archiveId) throw notFound('This message is no longer there.');
    if (message.edits.includes(id)) return message;
    if (message.answeredAt) await refuseTooMany(tx, userId);
    else await settle(tx, message);
    await take(tx, userId, message.id, { id, imageId });
    return replaceQuestion(tx, message, { editId: id, text, imageId });
  }

  return {
    /**
     * Stores a question, in an archive that need not exist yet, or puts it in place of the earlier one `chat_id` names.
     * The same `client_id` again changes nothing and returns the row as it is. The answer follows by `events`.
     * Refusals are those of contract/chat `chatMessage`.
     */
    async ask(userId: string, message: ChatMessage): Promise<Message> {
      if (message.user_id !== userId) throw notFound();
      const text = storable(message.message).trim();
      if (!text) throw badRequest('validation', 'Enter message description!', { fields: { message: 'Enter message description!' } });
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
      answering.drop((message) => isOlder(message, row));
      answering.wake(userId, row.archiveId);
      return toMessage(row);
    },

    /** An archive with its last questions and answers in order; 404 for an archive that is not this user's. */
    async list(
      userId: string,
      archiveId: string,
      { limit = MAX_MESSAGES_PAGE, before }: { limit?: number | undefined; before?: number | undefined },
    ): Promise<{ archive: Archive; messages: Message[]; total: number }> {
      const archive = await archives.find(userId, archiveId);
      if (!archive) throw notFound();
      const page = { limit: Math.min(limit, MAX_MESSAGES_PAGE), before };
      const [rows, total] = await Promise.all([listMessages(db, userId, archiveId, page), countMessages(db, userId, archiveId)]);
      return { archive, messages: rows.map(toMessage), total };
    },

    async read(userId: string, id: string, at: Db = db): Promise<Message> {
      const row = await findMessage(at, userId, id);
      if (!row) throw notFound();
      return toMessage(row);
    },

    /** Ends a question that has no answer yet: for nothing until the analyst was asked. `tell` is due once that is committed. Once answered, nothing changes. */
    async stop(tx: Tx, userId: string, id: string): Promise<{ message: Message; tell: () => void }> {
      const message = await lockMessage(tx, userId, id);
      if (!message) throw notFound();
      if (message.answeredAt) return { message: toMessage(message), tell: () => undefined };
      await settle(tx, message);
      const row = await stopQuestion(tx, message, new Date(clock()));
      const stopped = toMessage(row);
      return {
        message: stopped,
        tell() {
          answering.drop((underway) => isOlder(underway, row));
          const { id: chat_id, archive_id, chat_status, user_message, ai_response } = stopped;
          events.emit('response', userId, { chat_id, archive_id, chat_status, user_message, ai_response, chat: stopped });
        },
      };
    },

    /** Rates an answer; a question without one stays as it is. */
    async rate(tx: Tx, userId: string, id: string, rating: Rating | null): Promise<Message> {
      await rateAnswer(tx, userId, id, rating);
      const row = await findMessage(tx, userId, id);
      if (!row) throw notFound();
      return toMessage(row);
    },

    /** Deletes an archive with all that is in it; `tell` is due once that is committed. 404 when it is not there. */
    async remove(tx: Tx, userId: string, archiveId: string): Promise<{ tell: () => void }> {
      await lockUser(tx, userId);
      if (!(await archives.lock(tx, userId, archiveId))) throw notFound();
      const gone = await deleteMessages(tx, userId, archiveId);
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
          answering.drop((message) => message.userId === userId && ids.includes(message.id));
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
const isOlder = (message: MessageRow, than: MessageRow): boolean =>
  message.userId === than.userId && message.id === than.id && message.version < than.version;
