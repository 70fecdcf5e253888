import type { SentContact } from '#contract/contact.ts';
import type { Db } from '#server/db/open.ts';
import { findFileNames, findMessages, findMessagesOf, type MessageRow } from './store.ts';

type ListedFile = Omit<Awaited<ReturnType<typeof findFileNames>>[number], 'messageId'>;

export type ListedMessage = MessageRow & { files: ListedFile[] };

/** Returns when a message was replied to; null while a reply is only being mailed. */
const timeOfReply = ({ reply, repliedAt }: MessageRow): Date | null => (reply === null ? null : repliedAt);

/** Returns a user's messages to support, oldest first. */
export async function readMessagesOf(db: Db, userId: string): Promise<SentContact[]> {
  const messages = await findMessagesOf(db, userId);
  const files = await findFileNames(
    db,
    messages.map(({ id }) => id),
  );
  return messages.map((row) => ({
    id: row.id,
    kind: row.kind,
    name: row.name,
    message: row.message,
    files: files.filter(({ messageId }) => messageId === row.id).length,
    created_at: row.createdAt.toISOString(),
    reply: row.reply,
    replied_at: timeOfReply(row)?.toISOString() ?? null,
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
    repliedAt: timeOfReply(message),
    files: files.filter(({ messageId }) => messageId === message.id).map(({ messageId: _, ...file }) => file),
  }));
}
