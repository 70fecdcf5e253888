import { call } from '#client/platform/api/call.ts';
import { ApiError } from '#client/platform/api/errors.ts';
import type { Resource } from '#client/platform/cache/resource.ts';
import { type MessageRow, type UserDb, type UserTables, userDb } from '#client/platform/db/user-db.ts';
import { unsentArchiveEdits } from '#client/platform/outbox/archives.ts';
import type { Command } from '#client/platform/outbox/command.ts';
import { type Question, rowIdOf, unsentQuestions } from '#client/platform/outbox/questions.ts';
import type { Archive } from '#contract/chat/archive.ts';
import type { Message } from '#contract/chat/chat.ts';
import { withDeviceAnswer } from '../device-answer/device-answer.ts';
import { unsentRatings } from '../rate/rating-commands.ts';
import { loadConversationAnswer } from './answer-schemas.ts';
import { renewPreview, rowsBetween } from './message-rows.ts';

/** Messages per page, and shown before the user scrolls up. */
export const PAGE = 100;

/** A message as this device shows it. */
export interface LocalMessage extends MessageRow {
  /** Its queued or refused command; undefined once the server has stored the message. */
  unsent?: Command<Question>;
  /** Number of messages between this and the previous one that are not on the device. */
  missingBefore?: number;
}

export interface ConversationParams {
  userId: string;
  archiveId: string;
}

/** A page of consecutive messages from the server. */
export interface Page {
  /** Id of the conversation, if its row was on the device at the time of the request. */
  listed: string | undefined;
  /** The conversation's own row; earlier servers do not send it. */
  archive?: Archive | undefined;
  messages: Message[];
  /** Rows of the device at the time of the request. Those missing from the response were deleted. */
  known: Pick<Message, 'id' | 'position'>[];
  /** Ids of messages with an unsent edit at the time of the request. The device's rows stay. */
  edited: Set<string>;
}

/** Returns a conversation's queued commands by message id. */
export async function unsentOf(db: UserDb, archiveId: string): Promise<Map<string, Command<Question>>> {
  const unsent = await unsentQuestions(db);
  return new Map(unsent.filter(({ body }) => body.message.archive_id === archiveId).map((command) => [rowIdOf(command), command]));
}

/**
 * Stores messages from the server and deletes their queued commands, because the server has them even if an
 * acknowledgment was lost. Keeps an answer that arrived during the request, and an edit that the server has not seen. The transaction
 * must have the tables of conversations, messages and the outbox.
 */
export async function storeMessages(db: UserTables, messages: Message[], edited: ReadonlySet<string> = new Set()): Promise<void> {
  const ids = messages.map(({ id }) => id);
  const known = new Map((await db.messages.bulkGet(ids)).flatMap((row) => (row ? [[row.id, row]] : [])));
  const editing = new Set((await unsentQuestions(db)).map(({ body }) => body.message.chat_id));
  const isStale = (message: Message) => {
    const row = known.get(message.id);
    return row?.chat_status === 'ai-responce' && message.chat_status === 'message' && row.user_message === message.user_message;
  };
  const newer = messages.filter((message) => !isStale(message) && !editing.has(message.id) && !edited.has(message.id));
  await db.messages.bulkPut(newer.map((message) => withDeviceAnswer(message, known.get(message.id))));
  await db.outbox.where('id').anyOf(ids).delete();
  for (const archiveId of new Set(messages.map(({ archive_id }) => archive_id))) await renewPreview(db, archiveId, ids);
}

/** Stores a message that the server returns for a change, unless its conversation was deleted on this device meanwhile. */
export async function storeChanged(db: UserTables, message: Message): Promise<void> {
  if ((await db.messages.get(message.id)) || (await db.archives.get(message.archive_id))) await storeMessages(db, [message]);
}

/** Fetches the last messages, or the last ones before a position. Throws ApiError if the conversation's deletion is queued. */
export async function fetchPage(db: UserDb, archiveId: string, before?: number): Promise<Page> {
  // In one transaction: a question stored between two reads would look like one that the server has deleted.
  const [row, edits, unsent, rows] = await db.transaction('r', db.archives, db.outbox, db.messages, () =>
    Promise.all([
      db.archives.get(archiveId),
      unsentArchiveEdits(db),
      unsentOf(db, archiveId),
      rowsBetween(db, archiveId, 0, before === undefined ? Number.MAX_SAFE_INTEGER : before - 1)
        .reverse()
        .limit(2 * PAGE)
        .toArray(),
    ]),
  );
  if (edits.some(({ body }) => body.archiveId === archiveId && body.title === null))
    throw new ApiError({ status: 404, code: 'not_found', message: 'This chat was deleted.' });
  const known = rows.filter(({ id }) => !unsent.has(id));
  const edited = new Set([...unsent.keys()].filter((id) => unsent.get(id)?.body.message.chat_id !== 0));
  const query = new URLSearchParams({ limit: String(PAGE), ...(before !== undefined && { before: String(before) }) });
  const { data, archive } = await call(`/archive/${encodeURIComponent(archiveId)}/chats?${query}`, { answer: loadConversationAnswer });
  return { listed: row?.id, archive, messages: data, known, edited };
}

/** Stores a page and deletes rows that the server has deleted. Does nothing if the conversation was deleted here since the request. */
export async function storePage(db: UserTables, { listed, archive, messages, known, edited }: Page): Promise<void> {
  if (listed !== undefined && !(await db.archives.get(listed))) return;
  const ids = new Set(messages.map(({ id }) => id));
  // A page that is not full includes the first message.
  const from = messages.length < PAGE ? 0 : Math.min(...messages.map(({ position }) => position));
  await db.messages.bulkDelete(known.filter(({ id, position }) => position >= from && !ids.has(id)).map(({ id }) => id));
  await storeMessages(db, messages, edited);
  if (archive) await storeArchive(db, archive);
}

/**
 * Reads the messages from a position on, or the last `PAGE`, in order. Unsent new questions come last, because their local
 * position is provisional.
 */
export async function readMessages(db: UserDb, archiveId: string, from?: number): Promise<LocalMessage[]> {
  const [unsent, ratings] = await Promise.all([unsentOf(db, archiveId), unsentRatings(db)]);
  const isNew = (id: string) => unsent.get(id)?.body.message.chat_id === 0;
  const newIds = [...unsent.keys()].filter(isNew);
  const [waiting, rows] = await Promise.all([
    db.messages.bulkGet(newIds).then((found) => found.filter((row) => row !== undefined)),
    from === undefined
      ? rowsBetween(db, archiveId, 0, Number.MAX_SAFE_INTEGER)
          .reverse()
          .limit(PAGE + newIds.length)
          .toArray()
          .then((last) => last.reverse())
      : rowsBetween(db, archiveId, from, Number.MAX_SAFE_INTEGER).toArray(),
  ]);
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

/** Stores the conversation's row, which no fetched page of the list may include. */
async function storeArchive(db: UserTables, archive: Archive): Promise<void> {
  if (await db.archives.get(archive.id)) return;
  const edit = (await unsentArchiveEdits(db)).find(({ body }) => body.archiveId === archive.id);
  if (edit?.body.title === null) return;
  await db.archives.put({ ...archive, archive_title: edit?.body.title ?? archive.archive_title });
}

/** The resource of one conversation's last messages. */
export const conversation: Resource<ConversationParams, Page | null, LocalMessage[]> = {
  key: ({ archiveId }) => `chats/${archiveId}`,

  /** Null for a new conversation that the server does not have yet. */
  async fetch({ userId, archiveId }) {
    const db = userDb(userId);
    const unsent = await unsentOf(db, archiveId);
    if ([...unsent.values()].some(({ body }) => body.newArchive)) return null;
    return fetchPage(db, archiveId);
  },

  write: async (db, _params, page) => {
    if (page) await storePage(db, page);
  },

  async read(db, { archiveId }, stamped) {
    const messages = await readMessages(db, archiveId);
    return !stamped && messages.length === 0 ? undefined : messages;
  },
};
