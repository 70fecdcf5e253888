import { and, asc, eq, gt, isNotNull, lte, type SQL, sql } from 'drizzle-orm';
import { MINUTE, SECOND } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { marketAnswers } from '#server/db/schema/market.ts';
import { leases } from '#server/db/schema/operations.ts';

/** Name of the leader's row in `leases`. */
export const MARKET_LEADER = 'market';
/** Characters of an answer: twice the largest list of names. */
const MAX_VALUE = 8_000_000;
/** Answers that the table keeps. Beyond them, coins that no process has asked for lately get none. */
const MAX_ROWS = 20_000;
/** Answers that a leader works on at once. */
export const MAX_WANTED = 100;
/** A process that wants an answer waits less than this, ms. */
const WANTED_FOR = MINUTE;
/** The shortest time until the provider is asked again for an answer, ms. */
const SHORTEST = SECOND;

export interface AnswerRow {
  version: number;
  failure: 'unknown' | 'failed' | null;
  /** For how long the leader does not ask the provider again, ms; negative for an answer that is due. */
  left: number;
  /** JSON; null if there was never a good answer, or if the reader has this version. */
  value: string | null;
}

/** A leader's term, which its writes prove. */
export interface LeaderTerm {
  owner: string;
  fence: number;
}

/** What a leader learned. Without `value`, the last good one stays. `left`: see `AnswerRow`. */
export type Learned = { left: number } & ({ value: unknown } | { failure: 'unknown' | 'failed' });

const now = sql`clock_timestamp()`;
const inFuture = (span: number): SQL => sql`${now} + ${span}::float8 * interval '1 millisecond'`;

/** Returns the row of an answer, and its value if it is newer than `version`. */
export async function readAnswer(db: Db, key: string, version: number): Promise<AnswerRow | undefined> {
  const [row] = await db
    .select({
      version: marketAnswers.version,
      failure: marketAnswers.failure,
      left: sql<number>`(extract(epoch from ${marketAnswers.goodUntil} - ${now}) * 1000)::float8`,
      value: sql<string | null>`case when ${marketAnswers.version} > ${version}::bigint then ${marketAnswers.value} end`,
    })
    .from(marketAnswers)
    .where(eq(marketAnswers.key, key));
  return row;
}

/** Tells the leader that an answer is wanted, unless it is not due or is wanted already. */
export async function wantAnswer(db: Db, key: string): Promise<void> {
  const hasRoom = sql`exists (select 1 from ${marketAnswers} where key = ${key}) or (select count(*) from (select 1 from ${marketAnswers} limit ${MAX_ROWS}) as kept) < ${MAX_ROWS}`;
  await db.execute(sql`
    insert into ${marketAnswers} (key, wanted_at, good_until)
    select ${key}::text, ${now}, ${now} where ${hasRoom}
    on conflict (key) do update set wanted_at = ${now}
    where market_answers.good_until <= ${now}
      and (market_answers.wanted_at is null or market_answers.wanted_at < ${inFuture(-SECOND)})`);
}

/** Returns the keys of answers that are wanted and due, the longest wanted first. */
export async function listWanted(db: Db): Promise<string[]> {
  const { wantedAt, goodUntil } = marketAnswers;
  const rows = await db
    .select({ key: marketAnswers.key })
    .from(marketAnswers)
    .where(and(isNotNull(wantedAt), gt(wantedAt, inFuture(-WANTED_FOR)), lte(goodUntil, now)))
    .orderBy(asc(wantedAt))
    .limit(MAX_WANTED);
  return rows.map(({ key }) => key);
}

const nextVersion = sql`greatest(${marketAnswers.version} + 1, (extract(epoch from ${now}) * 1000)::bigint)`;

/** Stores a good answer of a process that is alone, which is due after `left` ms. */
export async function keepAnswer(db: Db, key: string, value: object, left: number): Promise<void> {
  const text = JSON.stringify(value);
  if (text.length > MAX_VALUE) return;
  const answer = { value: text, failure: null, wantedAt: null, goodUntil: inFuture(left) };
  await db
    .insert(marketAnswers)
    .values({ key, ...answer, version: sql`(extract(epoch from ${now}) * 1000)::bigint` })
    .onConflictDoUpdate({ target: marketAnswers.key, set: { ...answer, version: nextVersion } });
}

/** Stores what a leader learned. Returns false if its term has ended: what a later leader has stored stays. */
export async function storeAnswer(db: Db, key: string, learned: Learned, { owner, fence }: LeaderTerm): Promise<boolean> {
  const value = 'value' in learned ? JSON.stringify(learned.value) : undefined;
  const isTooLong = value !== undefined && value.length > MAX_VALUE;
  const failure = 'failure' in learned ? learned.failure : isTooLong ? 'failed' : null;
  const leads = sql`exists (select 1 from ${leases} where name = ${MARKET_LEADER} and owner = ${owner} and fence = ${fence} and until > ${now})`;
  const stored = await db
    .update(marketAnswers)
    .set({
      ...(value !== undefined && !isTooLong && { value }),
      failure,
      fence,
      wantedAt: null,
      goodUntil: inFuture(Math.max(SHORTEST, learned.left)),
      version: nextVersion,
    })
    .where(and(eq(marketAnswers.key, key), lte(marketAnswers.fence, fence), leads))
    .returning({ key: marketAnswers.key });
  return stored.length > 0;
}
