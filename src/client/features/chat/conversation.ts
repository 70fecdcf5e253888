import { type Chat, chatsAnswer } from '../../../contract/chat';
import { call } from '../../platform/api/call';
import type { Resource } from '../../platform/cache/resource';
import { type UserDb, userDb } from '../../platform/db/user-db';
import type { Command } from '../../platform/outbox/command';
import { type Question, unsentQuestions } from '../../platform/outbox/questions';

/** A question with its answer as the conversation shows it. */
export interface Message extends Chat {
  /** Its command, while the server has yet to store it or has refused it. */
  unsent?: Command<Question>;
}

export interface ConversationParams {
  userId: string;
  archiveId: string;
}

interface Answer {
  chats: Chat[];
  /** Ids the server was expected to know when it was asked: of these, what is missing was deleted. */
  expected: string[];
}

/** Rows of one conversation in their order. */
const rowsOf = (db: UserDb, archiveId: string): Promise<Chat[]> => db.messages.where('archive_id').equals(archiveId).sortBy('position');

/** Commands of one conversation by the id of their question. */
async function unsentOf(db: UserDb, archiveId: string): Promise<Map<string, Command<Question>>> {
  const unsent = await unsentQuestions(db);
  return new Map(unsent.filter(({ body }) => body.message.archive_id === archiveId).map((command) => [command.id, command]));
}

/**
 * Stores rows from the server, and ends the commands of the questions among them: the server has those, whatever
 * became of its acknowledgement. An answer that came in while the rows were on their way is not taken back.
 */
export async function storeChats(db: UserDb, chats: Chat[]): Promise<void> {
  const ids = chats.map(({ id }) => id);
  const known = new Map((await db.messages.bulkGet(ids)).flatMap((row) => (row ? [[row.id, row]] : [])));
  const stale = (chat: Chat) => {
    const row = known.get(chat.id);
    return row?.chat_status === 'ai-responce' && chat.chat_status === 'message' && row.user_message === chat.user_message;
  };
  await db.messages.bulkPut(chats.filter((chat) => !stale(chat)));
  await db.outbox.where('id').anyOf(ids).delete();
}

/** One conversation in order; questions that wait to be sent come last and stay whatever the server answers. */
export const conversation: Resource<ConversationParams, Answer | null, Message[]> = {
  key: ({ archiveId }) => `chats/${archiveId}`,

  /** Null for a conversation that began here and waits to be sent: the server cannot know it yet. */
  async fetch({ userId, archiveId }) {
    const db = userDb(userId);
    const unsent = await unsentOf(db, archiveId);
    if ([...unsent.values()].some(({ body }) => body.newArchive)) return null;
    const known = await rowsOf(db, archiveId);
    const expected = known.map(({ id }) => id).filter((id) => !unsent.has(id));
    const { data } = await call(`/archive/${encodeURIComponent(archiveId)}/chats`, { answer: chatsAnswer });
    return { expected, chats: data };
  },

  async write(db, _params, answer) {
    if (!answer) return;
    const ids = new Set(answer.chats.map(({ id }) => id));
    await db.messages.bulkDelete(answer.expected.filter((id) => !ids.has(id)));
    await storeChats(db, answer.chats);
  },

  async read(db, { archiveId }, stamped) {
    const rows = await rowsOf(db, archiveId);
    if (!stamped && rows.length === 0) return undefined;
    const unsent = await unsentOf(db, archiveId);
    const messages = rows.map((row): Message => {
      const command = unsent.get(row.id);
      return command ? { ...row, unsent: command } : row;
    });
    return [...messages.filter((message) => !message.unsent), ...messages.filter((message) => message.unsent)];
  },
};
