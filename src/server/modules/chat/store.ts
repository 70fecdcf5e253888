import { and, count, desc, eq, getTableColumns, gt, isNotNull, isNull, lt, lte, max, min, ne, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { AnswerFigures } from '#contract/chat/answer-figures.ts';
import type { ChartMarks } from '#contract/chat/chart-reading.ts';
import type { Rating } from '#contract/chat/chat.ts';
import type { Action } from '#contract/chat/offers.ts';
import { fold } from '#domain/text.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { isOneOf, type OwnedId } from '#server/db/owned-rows.ts';
import { chats } from '#server/db/schema/chat.ts';

export type MessageRow = typeof chats.$inferSelect;

const mine = (userId: string, id: string) => and(eq(chats.userId, userId), eq(chats.id, id));
const within = (userId: string, archiveId: string) => and(eq(chats.userId, userId), eq(chats.archiveId, archiveId));
const sameVersion = ({ userId, id, version }: MessageRow) => and(mine(userId, id), eq(chats.version, version));
/** Messages with an answer: not an error, and not stopped before it. */
export const answeredWell = and(isNotNull(chats.answeredAt), eq(chats.failed, false), eq(chats.stopped, false));
/** Characters that search reads; later text is not found. */
const MAX_FOLDED = 10_000;
export const folded = (text: string): string => fold(text.slice(0, MAX_FOLDED)).slice(0, MAX_FOLDED);
/**
 * Claims count on the database's clock, because processes may disagree about the time. A claim further in the future than
 * any lasts means that this clock was set back.
 */
const unclaimed = or(
  isNull(chats.claimedUntil),
  lte(chats.claimedUntil, sql`now()`),
  gt(chats.claimedUntil, sql`now() + interval '5 minutes'`),
);
/** @param lifetime ms */
const claimEnd = (lifetime: number) => sql`clock_timestamp() + ${lifetime}::float8 * interval '1 millisecond'`;

export async function findMessage(tx: Db, userId: string, id: string): Promise<MessageRow | undefined> {
  const [row] = await tx.select().from(chats).where(mine(userId, id));
  return row;
}

/** Finds the answered ones of these messages. */
export const findAnswered = (db: Db, rows: readonly OwnedId[]): Promise<MessageRow[]> =>
  db
    .select()
    .from(chats)
    .where(and(isOneOf(chats.userId, chats.id, rows), isNotNull(chats.answeredAt)));

/** Finds a message and locks its row until the transaction ends. */
export async function lockMessage(tx: Tx, userId: string, id: string): Promise<MessageRow | undefined> {
  const [row] = await tx.select().from(chats).where(mine(userId, id)).for('no key update');
  return row;
}

/** Lists a conversation's last `limit` messages in order, optionally only those before a position. */
export async function listMessages(db: Db, userId: string, archiveId: string, { limit, before }: Page): Promise<MessageRow[]> {
  const rows = await db
    .select()
    .from(chats)
    .where(and(within(userId, archiveId), before === undefined ? undefined : lt(chats.position, before)))
    .orderBy(desc(chats.position))
    .limit(limit);
  return rows.reverse();
}

/** An earlier version of the same question. */
export const isOlder = (row: MessageRow, than: MessageRow): boolean =>
  row.userId === than.userId && row.id === than.id && row.version < than.version;

export interface Page {
  limit: number;
  before: number | undefined;
}

export async function countMessages(db: Db, userId: string, archiveId: string): Promise<number> {
  const [row] = await db.select({ chats: count() }).from(chats).where(within(userId, archiveId));
  return row?.chats ?? 0;
}

export interface Question {
  userId: string;
  id: string;
  archiveId: string;
  text: string;
  imageId: string | null;
  createdAt: Date;
}

/** Appends a question to its conversation, which starts with position 1. The transaction must hold the conversation's lock. */
export async function insertQuestion(tx: Tx, { text, ...question }: Question): Promise<MessageRow> {
  const last = tx
    .select({ position: max(chats.position) })
    .from(chats)
    .where(within(question.userId, question.archiveId));
  const [row] = await tx
    .insert(chats)
    .values({ ...question, position: sql`coalesce(${last}, 0) + 1`, userMessage: text, folded: folded(text) })
    .returning();
  if (!row) throw new Error('An inserted question came back empty');
  return row;
}

/** Column values of an unanswered question. */
const NO_ANSWER = {
  aiResponse: '',
  failed: false,
  stopped: false,
  rating: null,
  marks: null,
  figures: null,
  coins: [],
  choices: [],
  action: null,
  claimedUntil: null,
};

/** Whether the analyst is working on an answer. */
export const isStarted = ({ startedAt, answeredAt }: Pick<MessageRow, 'startedAt' | 'answeredAt'>): boolean =>
  startedAt !== null && answeredAt === null;

/** Replaces a question in its place and discards its answer, finished or in progress. */
export async function replaceQuestion(
  tx: Tx,
  message: MessageRow,
  { editId, text, imageId }: { editId: string; text: string; imageId: string | null },
): Promise<MessageRow> {
  const [row] = await tx
    .update(chats)
    .set({
      ...NO_ANSWER,
      answeredAt: null,
      startedAt: null,
      userMessage: text,
      imageId,
      version: message.version + 1,
      edits: [...message.edits, editId],
      folded: folded(text),
    })
    .where(mine(message.userId, message.id))
    .returning();
  if (!row) throw new Error('An edited question came back empty');
  return row;
}

/** Stops a question without an answer. The new version makes an answer in progress outdated. */
export async function stopQuestion(tx: Tx, message: MessageRow, stoppedAt: Date): Promise<MessageRow> {
  const [row] = await tx
    .update(chats)
    .set({ ...NO_ANSWER, answeredAt: stoppedAt, stopped: true, version: message.version + 1 })
    .where(mine(message.userId, message.id))
    .returning();
  if (!row) throw new Error('A stopped question came back empty');
  return row;
}

/** Rates an answer. Changes nothing if there is none. */
export async function rateAnswer(tx: Tx, userId: string, id: string, rating: Rating | null): Promise<void> {
  await tx
    .update(chats)
    .set({ rating })
    .where(and(mine(userId, id), answeredWell));
}

/** Deletes and returns a conversation's messages. */
export const deleteMessages = (
  tx: Tx,
  userId: string,
  archiveId: string,
): Promise<Pick<MessageRow, 'id' | 'imageId' | 'startedAt' | 'answeredAt'>[]> =>
  tx
    .delete(chats)
    .where(within(userId, archiveId))
    .returning({ id: chats.id, imageId: chats.imageId, startedAt: chats.startedAt, answeredAt: chats.answeredAt });

/** Counts a user's unanswered questions. */
export const countUnanswered = (tx: Tx, userId: string): Promise<number> =>
  tx.$count(chats, and(eq(chats.userId, userId), isNull(chats.answeredAt)));

export interface Next {
  withPicture: boolean;
}

/** Finds a conversation's first unanswered question. Undefined if there is none or a process has claimed it. */
export async function findNext(db: Db, userId: string, archiveId: string): Promise<Next | undefined> {
  const [first] = await db
    .select({ imageId: chats.imageId, isFree: sql<boolean>`${unclaimed}` })
    .from(chats)
    .where(and(within(userId, archiveId), isNull(chats.answeredAt)))
    .orderBy(chats.position)
    .limit(1);
  if (!first?.isFree) return undefined;
  return { withPicture: first.imageId !== null };
}

export interface Claim extends Next {
  userId: string;
  archiveId: string;
}

/**
 * Claims a conversation's first unanswered question for `lifetime` ms, and marks it as started. Undefined if that question
 * is of the other kind or another process holds a claim that has not expired.
 */
export async function claimNext(db: Db, { userId, archiveId, withPicture }: Claim, lifetime: number): Promise<MessageRow | undefined> {
  const first = db
    .select({ position: min(chats.position) })
    .from(chats)
    .where(and(within(userId, archiveId), isNull(chats.answeredAt)));
  const ofKind = withPicture ? isNotNull(chats.imageId) : isNull(chats.imageId);
  const [row] = await db
    .update(chats)
    .set({
      claimedUntil: claimEnd(lifetime),
      startedAt: sql`coalesce(${chats.startedAt}, now())`,
      version: sql`${chats.version} + 1`,
    })
    .where(and(within(userId, archiveId), isNull(chats.answeredAt), unclaimed, ofKind, eq(chats.position, first)))
    .returning();
  return row;
}

/**
 * Renews claims for `lifetime` ms, all in one statement. A question whose row another transaction has locked keeps its
 * claim, unrenewed. Returns the messages whose claim is lost: changed, stopped, deleted, answered or claimed again.
 */
export async function renewClaims(db: Db, claimed: readonly MessageRow[], lifetime: number): Promise<MessageRow[]> {
  if (claimed.length === 0) return []; // without conditions, the statement would claim every question
  const isCurrent = and(isNull(chats.answeredAt), or(...claimed.map(sameVersion)));
  const key = { userId: chats.userId, id: chats.id };
  const free = db.select(key).from(chats).where(isCurrent).for('no key update', { skipLocked: true });
  const renewed = await db
    .update(chats)
    .set({ claimedUntil: claimEnd(lifetime) })
    .where(sql`(${chats.userId}, ${chats.id}) in ${free}`)
    .returning(key);
  if (renewed.length === claimed.length) return [];
  const current = await db.select(key).from(chats).where(isCurrent);
  return claimed.filter((row) => !current.some(({ userId, id }) => userId === row.userId && id === row.id));
}

/** Lists the last `limit` answered questions before this one, oldest first, without failures. */
export async function historyOf(db: Db, message: MessageRow, limit: number): Promise<{ question: string; answer: string }[]> {
  if (message.position === 1) return [];
  const rows = await db
    .select({ question: chats.userMessage, answer: chats.aiResponse })
    .from(chats)
    .where(and(within(message.userId, message.archiveId), lt(chats.position, message.position), answeredWell))
    .orderBy(desc(chats.position))
    .limit(limit);
  return rows.reverse();
}

export interface StoredAnswer {
  text: string;
  failed: boolean;
  marks: ChartMarks | null;
  figures: AnswerFigures | null;
  coins: number[];
  choices: string[];
  action: Action | null;
}

/** An answered question. `isLast`: its conversation waits for no other answer. */
export type AnsweredRow = MessageRow & { isLast: boolean };

/**
 * Stores an answer, and tells whether it is the last that its conversation waits for. Undefined if the question was changed, stopped,
 * claimed again or answered in the meantime. The transaction must hold the conversation's lock.
 */
export async function storeAnswer(tx: Tx, message: MessageRow, answer: StoredAnswer, answeredAt: Date): Promise<AnsweredRow | undefined> {
  const others = alias(chats, 'others');
  const { userId, archiveId, id } = message;
  const waiting = tx
    .select({ id: others.id })
    .from(others)
    .where(and(eq(others.userId, userId), eq(others.archiveId, archiveId), isNull(others.answeredAt), ne(others.id, id)));
  const { text, ...rest } = answer;
  const [row] = await tx
    .update(chats)
    .set({
      ...rest,
      aiResponse: text,
      answeredAt,
      claimedUntil: null,
      folded: folded(answer.failed ? message.userMessage : `${message.userMessage}\n${text}`),
    })
    .where(and(sameVersion(message), isNull(chats.answeredAt)))
    .returning({ ...getTableColumns(chats), isLast: sql<boolean>`not exists ${waiting}` });
  return row;
}

/** Releases the claim on this version of the question. */
export async function dropClaim(db: Db, message: MessageRow): Promise<void> {
  await db.update(chats).set({ claimedUntil: null }).where(sameVersion(message));
}

/**
 * Lists conversations with unanswered, unclaimed questions. Users take turns: first the longest-waiting conversation of
 * each user, then each user's second, and so on.
 */
export async function listWaiting(db: Db, limit: number): Promise<{ userId: string; archiveId: string }[]> {
  const since = sql`min(${chats.createdAt})`;
  const waiting = db
    .select({
      userId: chats.userId,
      archiveId: chats.archiveId,
      since: since.as('since'),
      turn: sql`row_number() over (partition by ${chats.userId} order by ${since})`.as('turn'),
    })
    .from(chats)
    .where(isNull(chats.answeredAt))
    .groupBy(chats.userId, chats.archiveId)
    .having(sql`bool_and(${unclaimed})`)
    .as('waiting');
  return db
    .select({ userId: waiting.userId, archiveId: waiting.archiveId })
    .from(waiting)
    .orderBy(waiting.turn, waiting.since)
    .limit(limit);
}

/** Releases every claim. Only for the single process of a database, where each claim is left from an earlier run. */
export async function dropClaims(db: Db): Promise<void> {
  await db.update(chats).set({ claimedUntil: null }).where(isNull(chats.answeredAt));
}
