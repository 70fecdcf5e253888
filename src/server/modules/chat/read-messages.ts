import type { Archive } from '#contract/chat/archive.ts';
import { type ChatResponse, MAX_MESSAGES_PAGE, type Message } from '#contract/chat/chat.ts';
import type { Db } from '#server/db/open.ts';
import { type OwnedId, ownedKey } from '#server/db/owned-rows.ts';
import { notFound } from '#server/http/errors.ts';
import type { Archives } from '../archives/service.ts';
import { countMessages, findAnswered, findMessage, listMessages } from './store.ts';
import { toMessage, toResponse } from './to-message.ts';

interface Conversation {
  archive: Archive;
  messages: Message[];
  /** Number of all messages of the conversation. */
  total: number;
}

/** Returns a conversation with its last messages in order. Throws 404 for another user's conversation. */
export async function readConversation(
  { db, archives }: { db: Db; archives: Pick<Archives, 'find'> },
  userId: string,
  archiveId: string,
  { limit = MAX_MESSAGES_PAGE, before }: { limit?: number | undefined; before?: number | undefined },
): Promise<Conversation> {
  const archive = await archives.find(userId, archiveId);
  if (!archive) throw notFound();
  const page = { limit: Math.min(limit, MAX_MESSAGES_PAGE), before };
  const [rows, total] = await Promise.all([listMessages(db, userId, archiveId, page), countMessages(db, userId, archiveId)]);
  return { archive, messages: rows.map(toMessage), total };
}

/** Returns one message. Throws 404 for an unknown id or another user's message. */
export async function readMessage(db: Db, userId: string, id: string): Promise<Message> {
  const row = await findMessage(db, userId, id);
  if (!row) throw notFound();
  return toMessage(row);
}

/** Returns the answers to these questions, by `ownedKey`. */
export async function readResponses(db: Db, rows: readonly OwnedId[]): Promise<Map<string, ChatResponse>> {
  return new Map((await findAnswered(db, rows)).map((row) => [ownedKey(row), toResponse(row)]));
}
