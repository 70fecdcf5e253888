import type { Archive } from '#contract/chat/archive.ts';
import { MAX_CONTINUED } from '#contract/chat/continue-chat.ts';
import { MAX_IMPORTED_A_DAY, MAX_MESSAGES_TO_IMPORT } from '#contract/chat/import-chats.ts';
import { DAY } from '#domain/clock.ts';
import type { Budgets } from '#server/budgets.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Db } from '#server/db/open.ts';
import { notFound, Problem, tooMany } from '#server/http/errors.ts';
import type { Archives } from '#server/modules/archives/service.ts';
import { findMessage } from '../store.ts';
import { continuedTitle } from './continued-title.ts';
import { copyMessages, countMessagesOf, measureMessages } from './store.ts';

/** Copied characters a day. */
const BUDGET = { max: MAX_IMPORTED_A_DAY, span: DAY };

const TOO_MANY = `You have ${MAX_MESSAGES_TO_IMPORT.toLocaleString('en-US')} questions. Delete some chats to continue this one in a new chat.`;

const NO_ANSWER = 'This question has no answer. Ask it again, then continue from its answer.';

interface Continued {
  /** The chat to go on from, and its answered message. */
  archiveId: string;
  chatId: string;
  /** The new chat. */
  id: string;
}

/** Begins a chat with copies of another one's messages. Returns the new chat, and whether it was made now. */
export type ContinueChat = (userId: string, continued: Continued) => Promise<{ archive: Archive; isNew: boolean }>;

export function createContinueChat({ db, archives, budgets }: { db: Db; archives: Archives; budgets: Budgets }): ContinueChat {
  return async (userId, { archiveId, chatId, id }) => {
    const known = await archives.find(userId, id);
    if (known) return { archive: known, isNew: false };
    const source = await archives.find(userId, archiveId);
    const message = await findMessage(db, userId, chatId);
    if (!source || message?.archiveId !== archiveId) throw notFound();
    if (!message.answeredAt) throw new Problem(409, 'not_answered', 'This question has no answer yet.');
    if (message.failed || message.stopped) throw new Problem(409, 'not_answered', NO_ANSWER);
    const stretch = { userId, archiveId, from: message.position - MAX_CONTINUED + 1, to: message.position };
    const { messages, characters } = await measureMessages(db, stretch);
    if (!(await budgets.take(`continue ${userId}`, BUDGET, characters + messages)))
      throw tooMany('You have continued as much as is possible in a day. Go on in the chat itself, or tomorrow.');
    return db.transaction(async (tx) => {
      await lockUser(tx, userId);
      const meanwhile = await archives.find(userId, id, tx);
      if (meanwhile) return { archive: meanwhile, isNew: false };
      if ((await countMessagesOf(tx, userId)) + messages > MAX_MESSAGES_TO_IMPORT) throw new Problem(409, 'too_many_messages', TOO_MANY);
      const archive = await archives.create(tx, userId, id);
      if ((await copyMessages(tx, stretch, id)) === 0) throw notFound(); // deleted meanwhile
      const named = continuedTitle(source.archive_title);
      const title = named === '' ? '' : await archives.name(tx, userId, id, named);
      return { archive: { ...archive, archive_title: title ?? '' }, isNew: true };
    });
  };
}
