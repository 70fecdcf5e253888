import { call } from '#client/platform/api/call.ts';
import type { Resource } from '#client/platform/cache/resource.ts';
import { type UserDb, userDb } from '#client/platform/db/user-db.ts';
import { unsentArchiveEdits } from '#client/platform/outbox/archives.ts';
import type { Command } from '#client/platform/outbox/command.ts';
import { type Question, rowIdOf, unsentQuestions } from '#client/platform/outbox/questions.ts';
import type { Archive } from '#contract/chat/archive.ts';
import { conversationAnswer, type Message } from '#contract/chat/chat.ts';
import { unsentRatings } from '../rate/rating-commands.ts';

/** Messages asked for at once, and shown before one scrolls up. */
export const PAGE = 100;

/** A question with its answer as the conversation shows it. */
export interface LocalMessage extends Message {
  /** Its command, while the server has yet to store it or has refused it. */
  unsent?: Command<Question>;
  /** How many messages between this one and the one above are not on this device yet. */
  missingBefore?: number;
}

export interface ConversationParams {
  userId: string;
  archiveId: string;
}

/** Some consecutive messages as the server has them. */
export interface Page {
  /** The conversation itself; servers before this did not tell. */
  archive?: Archive | undefined;
  messages: Message[];
  /** What the device had in that place when it asked: of these, what is missing now was deleted. */
  known: Pick<Message, 'id' | 'position'>[];
  /** Messages with an edit that the server had not seen when it was asked: here the device knows better. */
  edited: Set<string>;
}

/** Commands of one conversation by the id of their message. */
export async function unsentOf(db: UserDb, archiveId: string): Promise<Map<string, Command<Question>>> {
  const unsent = await unsentQuestions(db);
  return new Map(unsent.filter(({ body }) => body.message.archive_id === archiveId).map((command) => [rowIdOf(command), command]));
}

/** Rows of one conversation between two positions, in order of the index. */
export const rowsBetween = (db: UserDb, archiveId: string, from: number, to: number) =>
  db.messages.where('[archive_id+position]').between([archiveId, from], [archiveId, to], true, true);

/**
 * Stores rows from the server, and ends the commands of the questions among them: the server has those, whatever
 * became of its acknowledgement. An answer that came in while the rows were on their way is not taken back, and neither
 * is an edit that the server has not seen.
 */
export async function storeMessages(db: UserDb, messages: Message[], edited: ReadonlySet<string> = new Set()): Promise<void> {
  const ids = messages.map(({ id }) => id);
  const known = new Map((await db.messages.bulkGet(ids)).flatMap((row) => (row ? [[row.id, row]] : [])));
  const editing = new Set((await unsentQuestions(db)).map(({ body }) => body.message.chat_id));
  const isStale = (message: Message) => {
    const row = known.get(message.id);
    return row?.chat_status === 'ai-responce' && message.chat_status === 'message' && row.user_message === message.user_message;
  };
  await db.messages.bulkPut(messages.filter((message) => !isStale(message) && !editing.has(message.id) && !edited.has(message.id)));
  await db.outbox.where('id').anyOf(ids).delete();
}

/** Asks for the last messages, or for the last before a position. */
export async function fetchPage(db: UserDb, archiveId: string, before?: number): Promise<Page> {
  const unsent = await unsentOf(db, archiveId);
  const rows = await rowsBetween(db, archiveId, 0, before === undefined ? Number.MAX_SAFE_INTEGER : before - 1)
    .reverse()
    .limit(2 * PAGE)
    .toArray();
  const known = rows.filter(({ id }) => !unsent.has(id));
  const edited = new Set([...unsent.keys()].filter((id) => unsent.get(id)?.body.message.chat_id !== 0));
  const query = new URLSearchParams({ limit: String(PAGE), ...(before !== undefined && { before: String(before) }) });
  const { data, archive } = await call(`/archive/${encodeURIComponent(archiveId)}/chats?${query}`, { answer: conversationAnswer });
  return { archive, messages: data, known, edited };
}

/** Stores a page, and drops what the server has no more. */
export async function storePage(db: UserDb, { messages, known, edited }: Page): Promise<void> {
  const ids = new Set(messages.map(({ id }) => id));
  // A page that is not full goes back to the beginning.
  const from = messages.length < PAGE ? 0 : Math.min(...messages.map(({ position }) => position));
  await db.messages.bulkDelete(known.filter(({ id, position }) => position >= from && !ids.has(id)).map(({ id }) => id));
  await storeMessages(db, messages, edited);
}

/**
 * The messages from a position on, or without one the last `PAGE`, in order. New questions that wait to be sent come
 * last, whatever place they were given here.
 */
export async function readMessages(db: UserDb, archiveId: string, from?: number): Promise<LocalMessage[]> {
  const unsent = await unsentOf(db, archiveId);
  const ratings = await unsentRatings(db);
  const isNew = (id: string) => unsent.get(id)?.body.message.chat_id === 0;
  const waiting = (await db.messages.bulkGet([...unsent.keys()].filter(isNew))).flatMap((row) => (row ? [row] : []));
  const rows =
    from === undefined
      ? (
          await rowsBetween(db, archiveId, 0, Number.MAX_SAFE_INTEGER)
            .reverse()
            .limit(PAGE + waiting.length)
            .toArray()
        ).reverse()
      : await rowsBetween(db, archiveId, from, Number.MAX_SAFE_INTEGER).toArray();
  const stored = rows.filter(({ id }) => !isNew(id));
  return [...(from === undefined ? stored.slice(-PAGE) : stored), ...waiting].map((row, index, all): LocalMessage => {
    const command = unsent.get(row.id);
    const above = all[index - 1];
    const missing = above && !isNew(row.id) ? row.position - above.position - 1 : 0;
    const rating = ratings.get(row.id);
    return {
      ...row,
      ...(rating !== undefined && { rating }),
      ...(command && { unsent: command }),
      ...(missing > 0 && { missingBefore: missing }),
    };
  });
}

/** The list of conversations comes in pages, and this one may be on none that was read. */
async function storeArchive(db: UserDb, archive: Archive): Promise<void> {
  if (await db.archives.get(archive.id)) return;
  const edit = (await unsentArchiveEdits(db)).find(({ body }) => body.archiveId === archive.id);
  if (edit?.body.title === null) return;
  await db.archives.put({ ...archive, archive_title: edit?.body.title ?? archive.archive_title });
}

/** One conversation: its last messages. */
export const conversation: Resource<ConversationParams, Page | null, LocalMessage[]> = {
  key: ({ archiveId }) => `chats/${archiveId}`,

  /** Null for a conversation that began here and waits to be sent: the server cannot know it yet. */
  async fetch({ userId, archiveId }) {
    const db = userDb(userId);
    const unsent = await unsentOf(db, archiveId);
    if ([...unsent.values()].some(({ body }) => body.newArchive)) return null;
    return fetchPage(db, archiveId);
  },

  write: async (db, _params, page) => {
    if (!page) return;
    await storePage(db, page);
    if (page.archive) await storeArchive(db, page.archive);
  },

  async read(db, { archiveId }, stamped) {
    const messages = await readMessages(db, archiveId);
    return !stamped && messages.length === 0 ? undefined : messages;
  },
};
