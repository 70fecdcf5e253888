import { randomUUID } from 'node:crypto';
import type { PGlite } from '@electric-sql/pglite';
import { isNotNull, isNull, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, HOUR } from '#domain/clock.ts';
import { countRows } from '#server/db/count-rows.ts';
import type { Db } from '#server/db/open.ts';
import { contactMessages } from '#server/db/schema/contacts.ts';
import { users } from '#server/db/schema/users.ts';
import { BOT_QUEUE, createJobs } from '#server/jobs/jobs.ts';
import { createDatabaseFigures, type DatabaseFigures } from '#server/metrics/database-figures.ts';
import { findEnded as findEndedSessions } from '#server/modules/accounts/sessions/find-ended.ts';
import { claimUnacknowledged } from '#server/modules/contacts/store.ts';
import { findEnded } from '#server/modules/subscriptions/store.ts';
import { count } from '#server/operator/store.ts';
import { openTestDb, type TestDb } from '#tests/support/server/test-db.ts';

const ROWS = 3000;
const SECONDS_A_DAY = 86_400;
/** The tables that grow with the users and what they ask. */
const LARGE = ['users', 'chats', 'contact_messages', 'subscriptions', 'bots', 'sessions'];

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Plan[];
}

let opened: TestDb;
let db: Db;
let statements: { text: string; params: unknown[] }[] = [];

beforeAll(async () => {
  opened = await openTestDb();
  const { pglite } = opened.queue as { pglite: PGlite };
  db = drizzle(pglite, { logger: { logQuery: (text, params) => statements.push({ text, params }) } }) as unknown as Db;
  const rows = sql.raw(`generate_series(1, ${ROWS}) as row`);
  const user = sql`md5(row::text)::uuid`;
  await db.execute(sql`insert into users (id, email, first_name, last_name, password_hash, verified_at)
    select ${user}, row || '@example.com', '', '', '', now() from ${rows}`);
  await db.execute(sql`insert into chats (user_id, id, archive_id, position, user_message, answered_at, created_at)
    select ${user}, ${user}, ${user}, 1, 'What is the price of Bitcoin?', now() - interval '30 days', now() - interval '30 days' from ${rows}`);
  await db.execute(sql`insert into contact_messages (user_id, kind, name, email, message, reply)
    select ${user}, 'contact', '', '', 'Hello', 'Hello' from ${rows}`);
  await db.execute(sql`insert into subscriptions (user_id, plan, store, ends_at, renews, verified_at, told)
    select ${user}, 'PRO', 'test', now() + interval '1 day', true, now(), 'PRO' from ${rows}`);
  await db.execute(sql`insert into bots (user_id, name, status, position_size, leverage, exchange, sealed_keys, key_hint, key_digest, equity)
    select ${user}, 'Tide', 'STOPPED', 1000, 15, 'paper', '', '', '', 1000 from ${rows}`);
  await db.execute(sql`vacuum (analyze)`);
});
afterAll(() => opened.close());

/** Returns the nodes of a plan that read a whole large table. A limit bounds what is below it. */
function scansIn(plan: Plan): string[] {
  if (plan['Node Type'] === 'Limit') return [];
  const own = plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? ''] : [];
  return [...own.filter((name) => LARGE.includes(name)), ...(plan.Plans ?? []).flatMap(scansIn)];
}

/** Runs work, and returns the scans of large tables in the plans of its statements. */
async function scansOf(work: () => Promise<unknown>): Promise<string[]> {
  statements = [];
  await work();
  const { pglite } = opened.queue as { pglite: PGlite };
  const read = statements.filter(({ text }) => /^\s*(select|update|delete|insert)/.test(text));
  expect(read.length).toBeGreaterThan(0);
  const scans = read.map(async ({ text, params }) => {
    const { rows } = await pglite.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (format json) ${text}`, params);
    return scansIn(rows[0]?.['QUERY PLAN'][0].Plan as Plan).map((table) => `${table}: ${text}`);
  });
  return (await Promise.all(scans)).flat();
}

test('periodic work and figures read no large table as a whole', async () => {
  const now = Date.now();
  const config = { databaseUrl: undefined, cmcApiKey: 'key', cmcDailyCredits: 100 };
  const errors: unknown[] = [];
  const jobs = createJobs(opened.queue, (error) => errors.push(error));
  await (await jobs.queue(BOT_QUEUE)).insert([{ id: randomUUID(), data: {} }]);
  await jobs.stop(8_000);
  await db.execute(sql`update boss.job set start_after = now() - interval '70 days'`);
  await db.execute(sql`update subscriptions set ends_at = now() - interval '40 days', store = 'revenuecat' where user_id = md5('1')::uuid`);
  await db.execute(sql`update subscriptions set ends_at = now() - interval '20 days' where user_id = md5('2')::uuid`);
  const figures = createDatabaseFigures({ db, config, clock: Date.now, store: 'test', report: (error) => errors.push(error) });
  expect(await scansOf(figures.read)).toEqual([]);
  expect(errors).toEqual([]);
  const { bots, ages, credits } = (await figures.read()) as DatabaseFigures;
  expect(bots).toMatchObject({ stopped: ROWS, running: 0 });
  expect(credits).toEqual({ lists: 100, coins: 20 });
  expect(ages).toMatchObject({ questions: 0, acknowledgement_mails: 0 });
  expect(Math.floor(ages.bot_jobs / SECONDS_A_DAY)).toBe(70);
  expect(Math.floor(ages.ended_plans / SECONDS_A_DAY)).toBe(20);
  expect(await scansOf(() => findEnded(db, 'test', new Date(now)))).toEqual([]);
  expect(await scansOf(() => claimUnacknowledged(db, new Date(now), new Date(now + HOUR)))).toEqual([]);
  expect(await scansOf(() => count(db, new Date(now - (now % DAY))))).toEqual([]);
});

test('sessions of many sockets are looked up one by one', async () => {
  const held = Array.from({ length: ROWS }, () => randomUUID());
  await db.execute(sql`insert into sessions (id, user_id)
    select id, (select id from users limit 1) from unnest(${sql.param(held)}::uuid[]) as held(id)`);
  await db.execute(sql`analyze sessions`);
  const [ended = '', unknown] = [held[0], randomUUID()];
  await db.execute(sql`update sessions set revoked_at = now() where id = ${ended}`);
  const found: string[] = [];
  expect(await scansOf(async () => found.push(...(await findEndedSessions(db, [...held, unknown]))))).toEqual([]);
  expect(found.sort()).toEqual([ended, unknown].sort());
  await db.execute(sql`delete from sessions`);
});

test('counts are exact', async () => {
  const now = Date.now();
  const today = new Date(now - (now % DAY));
  await db.execute(sql`update chats set created_at = ${today}, answered_at = null where user_id in (select user_id from chats limit 3)`);
  await db.execute(
    sql`update chats set created_at = ${today}, answered_at = now() where user_id in (select user_id from chats order by user_id desc limit 4)`,
  );
  const counts = { users: ROWS, verified_users: ROWS, pending_registrations: 0, sessions: 0, questions_today: 7, unanswered_messages: 0 };
  expect(await count(db, today)).toEqual(counts);
});

test('rows that only a scan of a large table would find are estimated, and those of an index are counted', async () => {
  const most = ROWS / 3;
  await db.execute(sql`update users set verified_at = null where email < '2'`);
  await db.execute(sql`update contact_messages set reply = null where user_id in (select user_id from contact_messages limit 5)`);
  await db.execute(sql`vacuum (analyze)`);
  const isVerified = isNotNull(users.verifiedAt);
  const verified = await db.$count(users, isVerified);
  statements = [];
  expect(await countRows(db, users, undefined, most)).toBe(ROWS);
  expect(Math.abs((await countRows(db, users, isVerified, most)) - verified)).toBeLessThan(ROWS / 20);
  expect(statements.map(({ text }) => text).filter((text) => !text.startsWith('explain'))).toEqual([]);
  expect(await countRows(db, contactMessages, isNull(contactMessages.reply), most)).toBe(5);
});
