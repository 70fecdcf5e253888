import { randomUUID } from 'node:crypto';
import { asc, eq, lt, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DAY, HOUR, MINUTE } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { botEquity } from '#server/db/schema/bots.ts';
import { chatImages, chats } from '#server/db/schema/chat.ts';
import { codeGuards, mailedLinks } from '#server/db/schema/codes.ts';
import { leases } from '#server/db/schema/operations.ts';
import { budgets, idempotency } from '#server/db/schema/requests.ts';
import { refreshTokens, sessions } from '#server/db/schema/sessions.ts';
import { registrations, users } from '#server/db/schema/users.ts';
import { createCleanUp } from '#server/housekeeping/clean-up.ts';
import { readTimeMark } from '#server/housekeeping/marks.ts';
import { tidy } from '#server/housekeeping/tidy.ts';
import { drawdowns } from '#server/strategy/backtest/figures.ts';
import { plantBots } from '#tests/support/bots/bot-rig.ts';
import { openTestDb, type TestDb } from '#tests/support/server/test-db.ts';

let opened: TestDb;
let db: Db;
let userId: string;

beforeEach(async () => {
  opened = await openTestDb();
  db = opened.db;
  const [ada] = await db
    .insert(users)
    .values({ email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', passwordHash: 'x' })
    .returning();
  userId = ada?.id ?? '';
});
afterEach(() => opened.close());

test('deletes expired rows and nothing else', async () => {
  const now = Date.UTC(2026, 2, 1);
  const at = (days: number) => new Date(now + days * DAY);
  const added = await db
    .insert(sessions)
    .values(
      [-60, -60, -60, -0.5, -40].map((days, row) => ({
        userId,
        createdAt: at(days),
        revokedAt: row === 2 ? at(-2) : row === 4 ? at(-0.5) : null,
      })),
    )
    .returning();
  const [alive, expired, , fresh, ended] = added.map(({ id }) => id);
  await db.insert(refreshTokens).values([
    { tokenHash: 'alive', sessionId: alive ?? '', expiresAt: at(1) },
    { tokenHash: 'old', sessionId: alive ?? '', expiresAt: at(-1) },
    { tokenHash: 'expired', sessionId: expired ?? '', expiresAt: at(-1) },
  ]);
  const answer = { userId, route: 'POST /', requestHash: 'x', status: 200, answer: {} };
  await db.insert(idempotency).values([
    { ...answer, key: 'recent', createdAt: at(-6.9) },
    { ...answer, key: 'old', createdAt: at(-7.1) },
  ]);

  const guards = [
    { day: '2026-03-01', wrongTries: 3 },
    { day: '2026-02-28', wrongTries: 20 },
  ];
  await db.insert(codeGuards).values(guards.map((guard) => ({ userId: randomUUID(), ...guard })));
  await db.insert(mailedLinks).values([
    { tokenHash: 'alive', userId, expiresAt: at(0.5) },
    { tokenHash: 'expired', userId, expiresAt: at(-0.5) },
  ]);
  const waiting = [at(-6.9), at(-7.1)].map((createdAt) => ({
    email: 'eve@example.com',
    firstName: 'Eve',
    lastName: 'Moss',
    passwordHash: 'x',
    createdAt,
  }));
  await db.insert(registrations).values(waiting);

  await tidy(db, now);

  expect((await db.select().from(codeGuards)).map(({ day }) => day)).toEqual(['2026-03-01']);
  expect((await db.select().from(mailedLinks)).map(({ tokenHash }) => tokenHash)).toEqual(['alive']);
  expect((await db.select().from(registrations)).map(({ createdAt }) => createdAt)).toEqual([at(-6.9)]);
  expect((await db.select().from(sessions)).map(({ id }) => id).sort()).toEqual([alive, fresh, ended].sort());
  expect((await db.select().from(refreshTokens)).map(({ tokenHash }) => tokenHash)).toEqual(['alive']);
  expect((await db.select().from(idempotency)).map(({ key }) => key)).toEqual(['recent']);
});

test('deletes more expired rows than one statement takes', async () => {
  await db.execute(sql`insert into budgets select 'expired ' || n, 1, '2026-02-01' from generate_series(1, 10_001) n`);
  await db.execute(sql`insert into budgets values ('in use', 1, '2026-04-01')`);
  await tidy(db, Date.UTC(2026, 2, 1));
  expect((await db.select().from(budgets)).map(({ key }) => key)).toEqual(['in use']);
});

test('deletes images that no question uses, also those that an edit left later', async () => {
  const now = Date.UTC(2026, 2, 1);
  const image = { userId, type: 'image/png', hash: 'x', size: 1, previewHash: 'x', previewSize: 1, width: 1, height: 1 };
  const ids = Array.from({ length: 1_200 }, () => randomUUID());
  const [used = '', fresh = ''] = ids;
  await db.insert(chatImages).values(ids.map((id) => ({ ...image, id, createdAt: new Date(now - (id === fresh ? 6 : 8) * DAY) })));
  const question = { userId, id: randomUUID(), archiveId: randomUUID(), position: 1, userMessage: 'What is this?', imageId: used };
  await db.insert(chats).values(question);
  await tidy(db, now);
  expect((await db.select({ id: chatImages.id }).from(chatImages)).map(({ id }) => id).sort()).toEqual([used, fresh].sort());
  await db.update(chats).set({ imageId: null });
  await tidy(db, now + DAY / 2);
  expect((await db.select({ id: chatImages.id }).from(chatImages)).map(({ id }) => id)).toEqual([fresh]);
});

describe('the equity of a bot', () => {
  const now = Date.UTC(2026, 2, 1);
  const curve = (from: number, ...values: number[]) => values.map((equity, index) => ({ at: new Date(from + index * MINUTE), equity }));
  const pointsOf = (botId: string) => db.select().from(botEquity).where(eq(botEquity.botId, botId)).orderBy(asc(botEquity.at));
  const equitiesOf = async (botId: string) => (await pointsOf(botId)).map(({ equity }) => equity);

  test('keeps of an hour its last, highest and lowest point and its largest fall, and of a day the same after a month', async () => {
    const old = now - 3 * DAY;
    const [first = '', second = ''] = await plantBots(db, 2);
    const points = [
      ...curve(old, 1000, 1040, 1010, 960, 990, 980),
      ...curve(old + HOUR, 970, 975, 980),
      // The largest fall is neither from the highest nor to the lowest point.
      ...curve(old + 2 * HOUR, 20, 1000, 900, 300, 5000, 4000, 4100, 3900),
      ...curve(now - DAY, 1000, 1001, 1002),
    ].map((point) => ({ botId: first, ...point }));
    const years = [now - 366 * DAY, now - 366 * DAY + HOUR].flatMap((from) => curve(from, 5, 7, 6));
    await db.insert(botEquity).values([...points, ...years.map((point) => ({ botId: second, ...point }))]);
    await tidy(db, now);
    await tidy(db, now);
    expect(await equitiesOf(first)).toEqual([1040, 960, 980, 970, 980, 20, 1000, 300, 5000, 3900, 1000, 1001, 1002]);
    expect(await equitiesOf(second)).toEqual([5, 7, 5, 6]);
  });

  test('has the same largest drawdown before and after it is thinned, minute by minute and twice', async () => {
    const [botId = ''] = await plantBots(db, 1);
    let seed = 7;
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    let equity = 1000;
    const points = Array.from({ length: 6_000 }, (_, index) => {
      equity = Math.max(1, equity * (0.97 + 0.0605 * random()));
      return { botId, at: new Date(now - 40 * DAY + index * 9 * MINUTE), equity };
    });
    for (let row = 0; row < points.length; row += 1_000) await db.insert(botEquity).values(points.slice(row, row + 1_000));
    const fall = async () => {
      const all = (await pointsOf(botId)).map(({ at, equity }) => ({ at: at.getTime(), equity }));
      return drawdowns(all, 1000, now - 40 * DAY).maxDrawdown;
    };
    const before = await fall();
    const counts: number[] = [];
    for (const later of [0, 5 * HOUR, 3 * DAY, 60 * DAY]) {
      await tidy(db, now + later);
      expect(await fall()).toBe(before);
      expect((await pointsOf(botId)).at(-1)?.equity).toBe(points.at(-1)?.equity);
      counts.push(await db.$count(botEquity));
    }
    expect(counts).toEqual([...counts].sort((a, b) => b - a));
    expect(counts.at(-1)).toBeLessThanOrEqual(5 * 39);
  });

  test('is thinned for the time that no server ran, too', async () => {
    const [botId = ''] = await plantBots(db, 1);
    await tidy(db, now);
    await db.insert(botEquity).values(curve(now + HOUR, 1, 3, 2, 2.5, 2.4).map((point) => ({ botId, ...point })));
    await tidy(db, now + 20 * DAY);
    expect(await equitiesOf(botId)).toEqual([1, 3, 2, 2.4]);
  });
});

describe('the cleanup of several processes', () => {
  const LIMIT = { timeout: 100_000 };
  const isExpired = lt(idempotency.createdAt, new Date(Date.UTC(2026, 1, 1)));
  const expire = (count: number) =>
    db.execute(sql`insert into idempotency (user_id, key, route, request_hash, status, answer, created_at)
      select ${userId}, n || ' ' || random(), 'POST /', '', 200, '{}', '2026-01-01' from generate_series(1, ${sql.raw(String(count))}) n`);
  let now: number;
  const errors: unknown[] = [];
  const warn = vi.fn();
  const create = () => createCleanUp({ db, clock: () => now, isEmbedded: false, log: { warn }, report: (error) => errors.push(error) });

  beforeEach(() => {
    now = Date.UTC(2026, 2, 1);
    errors.length = 0;
    warn.mockReset();
  });

  test('runs in one of them, every six hours', async () => {
    await expire(3_500);
    const processes = [create(), create(), create()];
    for (const process of processes) process.start();
    // Its mark is the last that a cleanup writes: a process that closes before leaves the rest to another one.
    await vi.waitFor(async () => expect(await readTimeMark(db, 'cleanup', now)).toBe(now), LIMIT);
    expect(await db.$count(idempotency, isExpired)).toBe(0);
    for (const process of processes) await process.close();
    const lease = async () => (await db.select().from(leases))[0];
    expect(await lease()).toMatchObject({ name: 'cleanup', fence: 1 });

    await expire(1);
    now += 6 * HOUR - MINUTE;
    const early = create();
    early.start();
    await early.close();
    expect(await lease()).toMatchObject({ fence: 1 });
    expect(await db.$count(idempotency, isExpired)).toBe(1);
    now += MINUTE;
    const due = create();
    due.start();
    await vi.waitFor(async () => expect(await db.$count(idempotency, isExpired)).toBe(0), LIMIT);
    await due.close();
    expect(errors).toEqual([]);
  });

  test('deletes nothing for six hours after the clock leaped ahead, and all that is due after them', async () => {
    const run = async (isDone: () => Promise<void> | void) => {
      const process = create();
      process.start();
      await vi.waitFor(isDone, LIMIT);
      await process.close();
    };
    const cleaned = async () => expect(await readTimeMark(db, 'cleanup', now)).toBe(now);
    await run(cleaned);
    const started = now;
    await expire(1);
    now += 365 * DAY;
    await run(() => expect(warn).toHaveBeenCalledOnce());
    expect(warn.mock.lastCall?.[1]).toContain('the last cleanup was 365 days ago by the clock');
    now += 6 * HOUR - MINUTE;
    const early = create();
    early.start();
    await early.close();
    expect(await db.$count(idempotency, isExpired)).toBe(1);
    expect(warn).toHaveBeenCalledOnce();

    // The clock is set right, and leaps again.
    now = started + 7 * HOUR;
    await run(cleaned);
    expect(await db.$count(idempotency, isExpired)).toBe(0);
    await expire(1);
    now += 300 * DAY;
    await run(() => expect(warn).toHaveBeenCalledTimes(2));
    now += 6 * HOUR;
    await run(cleaned);
    expect(await db.$count(idempotency, isExpired)).toBe(0);
    expect(errors).toEqual([]);
  });

  test('that ends in the middle is continued by another one at once', async () => {
    await expire(20_000);
    const first = create();
    first.start();
    await vi.waitFor(async () => expect(await db.$count(idempotency, isExpired)).toBeLessThan(20_000), { interval: 1 });
    await first.close();
    const left = await db.$count(idempotency, isExpired);
    expect(left).toBeGreaterThan(0);
    const second = create();
    second.start();
    await vi.waitFor(async () => expect(await db.$count(idempotency, isExpired)).toBe(0), LIMIT);
    await second.close();
    expect(errors).toEqual([]);
  });
});
