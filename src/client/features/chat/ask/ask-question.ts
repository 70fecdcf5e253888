import { transact } from '#client/platform/db/transact.ts';
import type { MessageRow, UserDb, UserTables } from '#client/platform/db/user-db.ts';
import type { Command } from '#client/platform/outbox/command.ts';
import { enqueue, retry } from '#client/platform/outbox/outbox.ts';
import { isUnborn, QUESTIONS, type Question, rowIdOf, unsentQuestions } from '#client/platform/outbox/questions.ts';
import type { Message } from '#contract/chat/chat.ts';
import { imageIdOf, imagePath, previewPath } from '#contract/chat/chat-images.ts';
import type { Clock } from '#domain/clock.ts';
import type { LocalMessage } from '../conversation/conversation.ts';
import { firstRow, lastRow, renewPreview } from '../conversation/message-rows.ts';

interface Asked {
  userId: string;
  /** Undefined starts a new conversation. */
  archiveId: string | undefined;
  text: string;
  /** Id of its picture, in `attachments` or already on the server. */
  imageId?: string | null;
  /** Id of the message that this question replaces. */
  replaces?: string | null;
  /** Draft to delete in the same transaction, and whether the device had it as it is sent. */
  draft?: { key: string; wasSaved: boolean };
}

interface Options {
  /** Called at once with a new question, before it is stored. */
  onAsking?: ((question: LocalMessage) => void) | undefined;
  newId?: () => string;
  clock?: Clock;
}

/** Newest conversations among which one that another tab began is looked for. */
const NEWEST = 20;

/** Ids of the questions that this page asked and whose answers it has not shown yet. */
const awaitedHere = new Set<string>();
export const isAwaitedHere = (id: string): boolean => awaitedHere.has(id);
/** Call when the answer is on the screen: it is typed out once. */
export const stopAwaiting = (id: string): boolean => awaitedHere.delete(id);

/**
 * Stores a question and the command that sends it in one transaction. Resolves with the id of its conversation, which
 * is final even while offline. A new chat's draft that another tab has sent is not sent again: resolves with that tab's chat.
 */
export async function askQuestion(
  db: UserDb,
  { userId, archiveId, text, imageId = null, replaces = null, draft }: Asked,
  { onAsking, newId = () => crypto.randomUUID(), clock = Date.now }: Options = {},
): Promise<string> {
  const id = newId();
  const archive = archiveId ?? newId();
  const createdAt = clock();
  const message = { client_id: id, user_id: userId, archive_id: archive, message: text, chat_image: imageId };
  const pictures = { preview_image: imageId && previewPath(imageId), chat_image: imageId && imagePath(imageId) };
  const unanswered = { user_message: text, ai_response: '', chat_status: 'message', ...pictures } as const;
  const created_at = new Date(createdAt).toISOString();
  if (replaces === null) {
    const body = { message: { ...message, chat_id: 0 as const }, newArchive: archiveId === undefined };
    const unsent: Command<Question> = { id, lane: QUESTIONS, body, createdAt, attempts: 0, state: 'waiting' };
    onAsking?.({ id, archive_id: archive, position: Number.MAX_SAFE_INTEGER, created_at, ...unanswered, unsent });
  }

  const sent = await transact(db, [db.archives, db.messages, db.outbox, db.drafts], async (db) => {
    if (archiveId === undefined && draft?.wasSaved && !(await db.drafts.get(draft.key))) {
      const begun = await newestBegunWith(db, unanswered);
      if (begun !== undefined) return begun;
    }
    if (draft) await db.drafts.delete(draft.key);
    if (replaces !== null) {
      const replaced = await db.messages.get(replaces);
      if (!replaced) throw new Error('the message that was edited is not on this device any more');
      await db.messages.put({ ...withoutAnswer(replaced), ...unanswered });
      await renewPreview(db, replaced.archive_id);
      const body = { message: { ...message, chat_id: replaces }, newArchive: false, replaced };
      await enqueue<Question>(db, { id, lane: QUESTIONS, body, createdAt });
      return archive;
    }
    const newArchive = archiveId === undefined || (await isUnborn(db, archiveId));
    const last = await lastRow(db, archive);
    if (archiveId === undefined) await db.archives.add({ id: archive, archive_title: '', created_at });
    await db.messages.add({ id, archive_id: archive, position: (last?.position ?? 0) + 1, created_at, ...unanswered });
    await renewPreview(db, archive);
    await enqueue<Question>(db, { id, lane: QUESTIONS, body: { message: { ...message, chat_id: 0 }, newArchive }, createdAt });
    return archive;
  });
  if (sent === archive) awaitedHere.add(replaces ?? id);
  return sent;
}

/** Returns the id of a recent conversation that began with this question. */
async function newestBegunWith(
  db: UserTables,
  { user_message, chat_image }: Pick<Message, 'user_message' | 'chat_image'>,
): Promise<string | undefined> {
  const ids = await db.archives.orderBy('created_at').reverse().limit(NEWEST).primaryKeys();
  for (const id of ids) {
    const first = await firstRow(db, id);
    if (first?.user_message === user_message && first.chat_image === chat_image) return id;
  }
  return undefined;
}

/** Asks the same question again, for another answer. */
export const askAgain = (db: UserDb, userId: string, { id, archive_id, user_message, chat_image }: Message): Promise<string> =>
  askQuestion(db, { userId, archiveId: archive_id, text: user_message, imageId: imageIdOf(chat_image), replaces: id });

/** Removes everything that belongs to the answer, such as its rating. */
function withoutAnswer({
  device_answer: _d,
  failed: _f,
  stopped: _s,
  counted: _c,
  rating: _r,
  marks: _m,
  figures: _g,
  coins: _o,
  choices: _h,
  action: _a,
  ...row
}: MessageRow): Message {
  return row;
}

/** Finds the queued command of a message or of its edit. */
const commandOf = async (db: UserTables, messageId: string): Promise<Command<Question> | undefined> =>
  (await unsentQuestions(db)).find((command) => rowIdOf(command) === messageId);

/** Queues a refused question again. */
export async function retryQuestion(db: UserDb, messageId: string): Promise<void> {
  const command = await commandOf(db, messageId);
  if (command) await retry(db, command.id);
}

/**
 * Discards a question or an edit that was not sent; discarding an edit restores the earlier message. Returns true if the
 * conversation is empty and therefore deleted too.
 */
export function discardQuestion(db: UserDb, messageId: string): Promise<boolean> {
  return transact(db, [db.archives, db.messages, db.outbox, db.stamps, db.attachments, db.images], async (db) => {
    const command = await commandOf(db, messageId);
    if (!command) return false;
    const { message, replaced } = command.body;
    await db.outbox.where('id').equals(command.id).delete();
    await dropAttachment(db, message.chat_image);
    if (replaced) await db.messages.put(replaced);
    else await db.messages.delete(messageId);
    if (await renewPreview(db, message.archive_id)) return false;
    await db.archives.delete(message.archive_id);
    await db.stamps.delete(`chats/${message.archive_id}`);
    return true;
  });
}

/** Deletes a picture that was never sent. A picture that the server has stays. */
export async function dropAttachment(db: UserTables, imageId: string | null): Promise<void> {
  if (imageId === null || !(await db.attachments.get(imageId))) return;
  await db.attachments.delete(imageId);
  await db.images.delete(previewPath(imageId));
}
