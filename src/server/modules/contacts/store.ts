import { and, asc, desc, eq, inArray, isNull, lte, or } from 'drizzle-orm';
import type { Db, Tx } from '#server/db/open.ts';
import { contactFiles, contactMessages } from '#server/db/schema/contacts.ts';
import { users } from '#server/db/schema/users.ts';

export type MessageRow = typeof contactMessages.$inferSelect;
export type FileRow = typeof contactFiles.$inferSelect;
export type NewMessage = Pick<MessageRow, 'userId' | 'kind' | 'name' | 'email' | 'message' | 'acknowledgeAt' | 'createdAt'> & {
  key?: string | undefined;
};

export async function findEmail(tx: Tx, userId: string): Promise<string | undefined> {
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  return user?.email;
}

export type NewFileRow = Pick<FileRow, 'place' | 'name' | 'type' | 'size'> & { hash: string };

/** Stores a message with its files. Returns its id. */
export async function insertMessage(tx: Tx, row: NewMessage, files: readonly NewFileRow[]): Promise<string> {
  const [stored] = await tx.insert(contactMessages).values(row).returning({ id: contactMessages.id });
  if (!stored) throw new Error('a message was not stored');
  if (files.length > 0) await tx.insert(contactFiles).values(files.map((file) => ({ ...file, messageId: stored.id })));
  return stored.id;
}

/** Marks the acknowledgement of a message as mailed. */
export async function setAcknowledged(db: Db, id: string): Promise<void> {
  await db.update(contactMessages).set({ acknowledgeAt: null }).where(eq(contactMessages.id, id));
}

/** Claims the messages whose acknowledgement is due at `now`, until `next`. */
export const claimUnacknowledged = (db: Db, now: Date, next: Date): Promise<MessageRow[]> =>
  db.update(contactMessages).set({ acknowledgeAt: next }).where(lte(contactMessages.acknowledgeAt, now)).returning();

/** Returns messages of a kind, oldest first. */
export const findMessages = (db: Db, kind: MessageRow['kind']): Promise<MessageRow[]> =>
  db.select().from(contactMessages).where(eq(contactMessages.kind, kind)).orderBy(asc(contactMessages.createdAt), desc(contactMessages.id));

/** Returns a user's messages, oldest first. */
export const findMessagesOf = (db: Db, userId: string): Promise<MessageRow[]> =>
  db
    .select()
    .from(contactMessages)
    .where(eq(contactMessages.userId, userId))
    .orderBy(asc(contactMessages.createdAt), asc(contactMessages.id));

export async function findMessage(db: Db, id: string): Promise<MessageRow | undefined> {
  const [message] = await db.select().from(contactMessages).where(eq(contactMessages.id, id));
  return message;
}

/** Returns the id of the user's message with this idempotency key. */
export async function findMessageByKey(tx: Tx, userId: string, key: string): Promise<string | undefined> {
  const [message] = await tx
    .select({ id: contactMessages.id })
    .from(contactMessages)
    .where(and(eq(contactMessages.userId, userId), eq(contactMessages.key, key)));
  return message?.id;
}

/** Returns the files of these messages, without their bytes. */
export const findFileNames = (db: Db, messageIds: string[]) =>
  db
    .select({
      messageId: contactFiles.messageId,
      place: contactFiles.place,
      name: contactFiles.name,
      type: contactFiles.type,
      size: contactFiles.size,
    })
    .from(contactFiles)
    .where(inArray(contactFiles.messageId, messageIds))
    .orderBy(asc(contactFiles.place));

export async function findFile(db: Db, messageId: string, place: number): Promise<FileRow | undefined> {
  const [file] = await db
    .select()
    .from(contactFiles)
    .where(and(eq(contactFiles.messageId, messageId), eq(contactFiles.place, place)));
  return file;
}

/** Claims a message for a reply. Returns false while another claim lasts, which is one made after `ended`. */
export async function claimReply(db: Db, id: string, now: Date, ended: Date): Promise<boolean> {
  const { reply, repliedAt } = contactMessages;
  const isFree = and(isNull(reply), or(isNull(repliedAt), lte(repliedAt, ended)));
  const claimed = await db
    .update(contactMessages)
    .set({ repliedAt: now })
    .where(and(eq(contactMessages.id, id), isFree))
    .returning({ id: contactMessages.id });
  return claimed.length > 0;
}

/** Ends a claim whose reply was not mailed. */
export async function dropReplyClaim(db: Db, id: string, claimedAt: Date): Promise<void> {
  const { reply, repliedAt } = contactMessages;
  await db
    .update(contactMessages)
    .set({ repliedAt: null })
    .where(and(eq(contactMessages.id, id), isNull(reply), eq(repliedAt, claimedAt)));
}

/** Returns false when the message already has a reply. */
export async function insertReply(tx: Tx, id: string, reply: string, repliedAt: Date): Promise<boolean> {
  const answered = await tx
    .update(contactMessages)
    .set({ reply, repliedAt })
    .where(and(eq(contactMessages.id, id), isNull(contactMessages.reply)))
    .returning({ id: contactMessages.id });
  return answered.length > 0;
}
