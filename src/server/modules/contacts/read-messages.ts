import type { SentContact } from '#contract/contact.ts';
import type { Db } from '#server/db/open.ts';
import { findFileNames, findMessages, findMessagesOf, type MessageRow } from './store.ts';

type ListedFile = Omit<Awaited<ReturnType<typeof findFileNames>>[number], 'messageId'>;

export type ListedMessage = MessageRow & { files: ListedFile[] };

/** Returns a user's messages to support, oldest first. */
export async function readMessagesOf(db: Db, userId: string): Promise<SentContact[]> {
  const messages = await findMessagesOf(db, userId);
  const files = await findFileNames(
    db,
    messages.map(({ id }) => id),
  );
  return messages.map(({ id, kind, name, message, createdAt, reply, repliedAt }) => ({
    id,
    kind,
    name,
    message,
    files: files.filter(({ messageId }) => messageId === id).length,
    created_at: createdAt.toISOString(),
    reply,
    replied_at: (reply !== null && repliedAt?.toISOString()) || null,
  }));
}

/** Returns messages of a kind with their files, oldest first. */
export async function readMessages(db: Db, kind: MessageRow['kind']): Promise<ListedMessage[]> {
  const messages = await findMessages(db, kind);
  const files = await findFileNames(
    db,
    messages.map(({ id }) => id),
  );
  return messages.map((message) => ({
    ...message,
    repliedAt: message.reply === null ? null : message.repliedAt,
    files: files.filter(({ messageId }) => messageId === message.id).map(({ messageId: _, ...file }) => file),
  }));
}
