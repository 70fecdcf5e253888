import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBudgets } from '#server/budgets.ts';
import { budgets as rows } from '#server/db/schema/requests.ts';
import { tidy } from '#server/housekeeping/tidy.ts';
import { openTestDb, type TestDb } from '#tests/support/server/test-db.ts';

const MINUTE = 60_000;
const three = { max: 3, span: MINUTE };

let open: TestDb;
let now = 1_700_000_000_000;
const clock = () => now;

beforeAll(async () => {
  open = await openTestDb();
});
afterAll(() => open.close());

describe('a budget', () => {
  test('covers its uses, and then no more until its window ends', async () => {
    const budgets = createBudgets({ db: open.db, clock });
    const taken = [];
    for (let use = 0; use < 5; use++) taken.push(await budgets.take('a', three));
    expect(taken).toEqual([true, true, true, false, false]);
    expect(await budgets.used('a', MINUTE)).toBe(5);
    expect(await budgets.hasLeft('a', three)).toBe(false);
    now += MINUTE;
    expect(await budgets.hasLeft('a', three)).toBe(true);
    expect(await budgets.take('a', three)).toBe(true);
  });

  test('is shared by all that use the same database, and counts each use that comes at once', async () => {
    const processes = [createBudgets({ db: open.db, clock }), createBudgets({ db: open.db, clock })];
    const taken = await Promise.all(Array.from({ length: 20 }, (_, at) => processes[at % 2]?.take('b', three)));
    expect(taken.filter(Boolean)).toHaveLength(3);
  });

  test('is one per key, and can be used several times at once', async () => {
    const budgets = createBudgets({ db: open.db, clock });
    expect(await budgets.take('c', three, 3)).toBe(true);
    expect(await budgets.take('d', three, 4)).toBe(false);
    expect(await budgets.take('c', three)).toBe(false);
  });

  test('covers a reservation whole or not at all, also of those that come at once', async () => {
    const processes = [createBudgets({ db: open.db, clock }), createBudgets({ db: open.db, clock })];
    const reserved = await Promise.all(
      Array.from({ length: 10 }, (_, at) => processes[at % 2]?.reserve('f', { max: 100, span: MINUTE }, 40)),
    );
    expect(reserved.filter(Boolean)).toHaveLength(2);
    const [budgets] = processes;
    expect(await budgets?.used('f', MINUTE)).toBe(80);
    expect(await budgets?.reserve('g', { max: 100, span: MINUTE }, 101)).toBeUndefined();
    expect(await budgets?.reserve('f', { max: 100, span: MINUTE }, 20)).toEqual(reserved.find(Boolean));
  });

  test('corrects a reservation in its own window alone', async () => {
    const budgets = createBudgets({ db: open.db, clock });
    const reserve = () => budgets.reserve('h', { max: 100, span: MINUTE }, 60);
    const ended = (await reserve()) ?? new Date(0);
    await budgets.correct('h', ended, -50);
    expect(await budgets.used('h', MINUTE)).toBe(10);
    now += MINUTE;
    expect(await reserve()).toEqual(new Date(ended.getTime() + MINUTE));
    await budgets.correct('h', ended, -10);
    await budgets.correct('another', ended, 10);
    expect(await budgets.used('h', MINUTE)).toBe(60);
    await budgets.correct('h', new Date(ended.getTime() + MINUTE), -1000);
    expect(await budgets.used('h', MINUTE)).toBe(0);
  });

  test('leaves no row behind an hour after its window has ended', async () => {
    const budgets = createBudgets({ db: open.db, clock });
    await budgets.take('e', three);
    await tidy(open.db, now + 2 * MINUTE);
    expect(await open.db.$count(rows)).toBeGreaterThan(0);
    await tidy(open.db, now + 62 * MINUTE);
    expect(await open.db.$count(rows)).toBe(0);
  });
});
