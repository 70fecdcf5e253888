import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY } from '#domain/clock.ts';
import { marketAnswers } from '#server/db/schema/market.ts';
import { leases } from '#server/db/schema/operations.ts';
import { tidy } from '#server/housekeeping/tidy.ts';
import { lead } from '#server/lifecycle/leadership.ts';
import { listWanted, MARKET_LEADER, readAnswer, storeAnswer, wantAnswer } from '#server/ports/market-data/shared/answer-rows.ts';
import { openTestDb } from '#tests/support/server/test-db.ts';

const LEASE = 10_000;
const KEY = 'coin:7';
let own: Awaited<ReturnType<typeof openTestDb>>;

beforeAll(async () => {
  own = await openTestDb();
});
afterAll(() => own.close());
beforeEach(async () => {
  await own.db.delete(marketAnswers);
  await own.db.delete(leases);
});

async function termOf(owner: string) {
  const fence = await lead(own.db, { name: MARKET_LEADER, owner, lease: LEASE });
  if (fence === null) throw new Error('another process leads');
  return { owner, fence };
}

const endLease = () =>
  own.db
    .update(leases)
    .set({ until: new Date(0) })
    .where(eq(leases.name, MARKET_LEADER));
const store = (value: unknown, term: { owner: string; fence: number }) => storeAnswer(own.db, KEY, { value, left: 60_000 }, term);
const makeDue = () => own.db.update(marketAnswers).set({ goodUntil: sql`clock_timestamp()` });

test('a leader whose lease has ended stores nothing, whether or not another one leads', async () => {
  const old = await termOf('old');
  await wantAnswer(own.db, KEY);
  expect(await store('first', old)).toBe(true);
  await endLease();
  expect(await store('late', old)).toBe(false);
  const next = await termOf('next');
  expect(await store('later', old)).toBe(false);
  expect(await store('newest', next)).toBe(true);
  expect(await store('too late', old)).toBe(false);
  expect(await readAnswer(own.db, KEY, 0)).toMatchObject({ value: '"newest"', failure: null });
});

test('a version only rises, and a bad answer keeps the last good value', async () => {
  const term = await termOf('one');
  await wantAnswer(own.db, KEY);
  await store('good', term);
  const good = await readAnswer(own.db, KEY, 0);
  await storeAnswer(own.db, KEY, { failure: 'failed', left: 5_000 }, term);
  const bad = await readAnswer(own.db, KEY, 0);
  expect(bad).toMatchObject({ value: '"good"', failure: 'failed' });
  expect(bad?.version).toBeGreaterThan(good?.version ?? Number.POSITIVE_INFINITY);
  expect(await readAnswer(own.db, KEY, bad?.version ?? 0)).toMatchObject({ value: null });
});

test('only due answers are wanted, each once', async () => {
  const term = await termOf('one');
  await Promise.all([wantAnswer(own.db, KEY), wantAnswer(own.db, KEY)]);
  expect(await listWanted(own.db)).toEqual([KEY]);
  await store('good', term);
  await wantAnswer(own.db, KEY);
  expect(await listWanted(own.db)).toEqual([]);
  await makeDue();
  await wantAnswer(own.db, KEY);
  expect(await listWanted(own.db)).toEqual([KEY]);
});

test('an answer that is too long is a failure, and a full table takes no new key', async () => {
  const term = await termOf('one');
  await wantAnswer(own.db, KEY);
  await store('good', term);
  await store('x'.repeat(8_000_001), term);
  expect(await readAnswer(own.db, KEY, 0)).toMatchObject({ value: '"good"', failure: 'failed' });
  await own.db.execute(sql`insert into market_answers (key) select 'info:' || id from generate_series(2, 20000) as id`);
  await wantAnswer(own.db, 'coin:8');
  expect(await readAnswer(own.db, 'coin:8', 0)).toBeUndefined();
  await makeDue();
  await wantAnswer(own.db, KEY);
  expect(await listWanted(own.db)).toEqual([KEY]);
});

test('the cleanup deletes answers that no process wanted for two days', async () => {
  await wantAnswer(own.db, 'coin:8');
  await wantAnswer(own.db, KEY);
  await own.db
    .update(marketAnswers)
    .set({ goodUntil: new Date(Date.now() - 3 * DAY) })
    .where(eq(marketAnswers.key, KEY));
  await tidy(own.db, Date.now());
  const kept = await own.db.select({ key: marketAnswers.key }).from(marketAnswers);
  expect(kept).toEqual([{ key: 'coin:8' }]);
});
