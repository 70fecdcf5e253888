import type { Clock } from '../../../domain/clock';
import type { UserDb } from '../../platform/db/user-db';
import { enqueue } from '../../platform/outbox/outbox';
import { QUESTIONS, type Question, unsentQuestions } from '../../platform/outbox/questions';

interface Asked {
  userId: string;
  /** None: the question begins a conversation. */
  archiveId: string | undefined;
  text: string;
}

interface Means {
  newId?: () => string;
  clock?: Clock;
}

/** Ids of the questions asked since this page was opened: whoever asked them waits for the answer here. */
const askedHere = new Set<string>();
export const wasAskedHere = (id: string): boolean => askedHere.has(id);

/**
 * Writes a question down: what is shown of it and the command that sends it, or nothing of it. Resolves with the id
 * of its conversation, which is final from the start, with or without a connection.
 */
export async function askQuestion(
  db: UserDb,
  { userId, archiveId, text }: Asked,
  { newId = () => crypto.randomUUID(), clock = Date.now }: Means = {},
): Promise<string> {
  const id = newId();
  const archive = archiveId ?? newId();
  const createdAt = clock();
  const created_at = new Date(createdAt).toISOString();

  await db.transaction('rw', db.archives, db.messages, db.outbox, async () => {
    const newArchive = archiveId === undefined || (await isUnborn(db, archiveId));
    const last = await db.messages.where('archive_id').equals(archive).sortBy('position');
    if (archiveId === undefined) await db.archives.add({ id: archive, archive_title: '', created_at });
    await db.messages.add({
      id,
      archive_id: archive,
      position: (last.at(-1)?.position ?? 0) + 1,
      user_message: text,
      ai_response: '',
      chat_status: 'message',
      preview_image: null,
      chat_image: null,
      created_at,
    });
    const message = { client_id: id, user_id: userId, archive_id: archive, message: text, chat_id: 0, chat_image: null } as const;
    await enqueue<Question>(db, { id, lane: QUESTIONS, body: { message, newArchive }, createdAt });
  });
  askedHere.add(id);
  return archive;
}

/** Begun here, and the server has not heard of it yet. */
async function isUnborn(db: UserDb, archiveId: string): Promise<boolean> {
  const unsent = await unsentQuestions(db);
  return unsent.some(({ body }) => body.newArchive && body.message.archive_id === archiveId);
}

/**
 * Takes back a question that was not sent. True when that was all its conversation had: then the conversation is
 * gone too.
 */
export function discardQuestion(db: UserDb, id: string): Promise<boolean> {
  return db.transaction('rw', db.archives, db.messages, db.outbox, db.stamps, async () => {
    const row = await db.messages.get(id);
    await db.outbox.where('id').equals(id).delete();
    await db.messages.delete(id);
    if (!row || (await db.messages.where('archive_id').equals(row.archive_id).count()) > 0) return false;
    await db.archives.delete(row.archive_id);
    await db.stamps.delete(`chats/${row.archive_id}`);
    return true;
  });
}
