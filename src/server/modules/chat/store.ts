import { and, asc, desc, eq, isNotNull, isNull, lt, lte, max, min, or, sql } from 'drizzle-orm';
import { fold } from '../../../domain/text';
import type { Db, Tx } from '../../db/open';
import { chats } from '../../db/schema';

export type ChatRow = typeof chats.$inferSelect;

const mine = (userId: string, id: string) => and(eq(chats.userId, userId), eq(chats.id, id));
const within = (userId: string, archiveId: string) => and(eq(chats.userId, userId), eq(chats.archiveId, archiveId));
const unclaimed = (now: Date) => or(isNull(chats.claimedUntil), lte(chats.claimedUntil, now));

export async function findChat(tx: Db, userId: string, id: string): Promise<ChatRow | undefined> {
  const [row] = await tx.select().from(chats).where(mine(userId, id));
  return row;
}

/** As `findChat`, and nobody else changes the row until the transaction ends. */
export async function lockChat(tx: Tx, userId: string, id: string): Promise<ChatRow | undefined> {
  const [row] = await tx.select().from(chats).where(mine(userId, id)).for('update');
  return row;
}

export const listChats = (db: Db, userId: string, archiveId: string): Promise<ChatRow[]> =>
  db.select().from(chats).where(within(userId, archiveId)).orderBy(asc(chats.position));

export interface Question {
  userId: string;
  id: string;
  archiveId: string;
  text: string;
  createdAt: Date;
}

/** Puts the question last in its archive, which the transaction must hold. */
export async function insertQuestion(tx: Tx, { text, ...question }: Question): Promise<ChatRow> {
  const [last] = await tx
    .select({ position: max(chats.position) })
    .from(chats)
    .where(within(question.userId, question.archiveId));
  const [row] = await tx
    .insert(chats)
    .values({ ...question, position: (last?.position ?? 0) + 1, userMessage: text, folded: fold(text) })
    .returning();
  if (!row) throw new Error('An inserted question came back empty');
  return row;
}

/** Replaces a question's text where it stands and forgets its answer, finished or underway. */
export async function replaceQuestion(tx: Tx, chat: ChatRow, editId: string, text: string): Promise<ChatRow> {
  const [row] = await tx
    .update(chats)
    .set({
      userMessage: text,
      aiResponse: '',
      answeredAt: null,
      failed: false,
      claimedUntil: null,
      version: chat.version + 1,
      edits: [...chat.edits, editId],
      folded: fold(text),
    })
    .where(mine(chat.userId, chat.id))
    .returning();
  if (!row) throw new Error('An edited question came back empty');
  return row;
}

/** Takes the archive's first unanswered question, unless another process has it until a time still to come. */
export async function claimNext(db: Db, userId: string, archiveId: string, now: Date, until: Date): Promise<ChatRow | undefined> {
  const first = db
    .select({ position: min(chats.position) })
    .from(chats)
    .where(and(within(userId, archiveId), isNull(chats.answeredAt)));
  const [row] = await db
    .update(chats)
    .set({ claimedUntil: until, version: sql`${chats.version} + 1` })
    .where(and(within(userId, archiveId), isNull(chats.answeredAt), unclaimed(now), eq(chats.position, first)))
    .returning();
  return row;
}

/** The last `limit` questions answered before this one, oldest first; failures teach nothing and are left out. */
export async function historyOf(db: Db, chat: ChatRow, limit: number): Promise<{ question: string; answer: string }[]> {
  const rows = await db
    .select({ question: chats.userMessage, answer: chats.aiResponse })
    .from(chats)
    .where(
      and(within(chat.userId, chat.archiveId), lt(chats.position, chat.position), isNotNull(chats.answeredAt), eq(chats.failed, false)),
    )
    .orderBy(desc(chats.position))
    .limit(limit);
  return rows.reverse();
}

/** False when the question was edited, claimed anew or answered meanwhile: then the answer belongs to nobody. */
export async function storeAnswer(tx: Tx, chat: ChatRow, text: string, failed: boolean, answeredAt: Date): Promise<boolean> {
  const stored = await tx
    .update(chats)
    .set({
      aiResponse: text,
      failed,
      answeredAt,
      claimedUntil: null,
      folded: fold(failed ? chat.userMessage : `${chat.userMessage}\n${text}`),
    })
    .where(and(mine(chat.userId, chat.id), eq(chats.version, chat.version), isNull(chats.answeredAt)))
    .returning({ id: chats.id });
  return stored.length > 0;
}

/** Archives with a question that nobody is answering. */
export const listWaiting = (db: Db, now: Date): Promise<{ userId: string; archiveId: string }[]> =>
  db
    .selectDistinct({ userId: chats.userId, archiveId: chats.archiveId })
    .from(chats)
    .where(and(isNull(chats.answeredAt), unclaimed(now)));

/** Gives up every claim. Only for a process that is alone on its database, whose claims are those of a dead one. */
export async function dropClaims(db: Db): Promise<void> {
  await db.update(chats).set({ claimedUntil: null }).where(isNull(chats.answeredAt));
}
