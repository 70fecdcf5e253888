import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createBudgets } from '#server/budgets.ts';
import { openDb } from '#server/db/open.ts';
import { budgets as rows } from '#server/db/schema/requests.ts';
import { type Measurements, onMeasured } from '#server/metrics/measurements.ts';
import type { Context } from '#server/ports/analyst/analyst.ts';
import { openAnalyst } from '#server/ports/analyst/open-analyst.ts';
import { STAND_IN, USED_UP } from '#server/ports/analyst/with-stand-in.ts';
import { reading } from '#tests/support/charts/chart-reading.ts';
import { breakOff, hang, type ModelServer, refuse, say, startModelServer } from '#tests/support/chat/openai.ts';
import { sayCounted } from '#tests/support/chat/runners.ts';
import { createGate } from '#tests/support/create-gate.ts';
import { stillMarket } from '#tests/support/market/market.ts';
import { onPostgres } from '#tests/support/server/on-postgres.ts';
import { openTestDb, type TestDb } from '#tests/support/server/test-db.ts';

const DAY = 24 * 60 * 60 * 1000;
/** USD for a million tokens. */
const PRICES = { input: 1, output: 10 };
/** The most that 'hi' reserves at these prices: its estimate and 1,200 tokens of output. */
const RESERVED = 0.016;

let model: ModelServer;
let open: TestDb;
let now: number;
const measured: Measurements['modelUse'][] = [];
let end: () => void;

beforeAll(async () => {
  [model, open] = await Promise.all([startModelServer(), openTestDb()]);
  end = onMeasured('modelUse', (use) => void measured.push(use));
});
afterAll(async () => {
  end();
  await model.close();
  await open.close();
});
beforeEach(async () => {
  now = Date.parse('2026-05-13T23:59:00Z');
  model.requests.length = 0;
  measured.length = 0;
  await open.db.delete(rows);
});

const clock = () => now;
const analystOf = (dailyBudget: number | undefined, budgets = createBudgets({ db: open.db, clock })) =>
  openAnalyst(
    { ai: { baseUrl: model.url, key: 'key', model: 'm', context: undefined, prices: PRICES, dailyBudget } },
    { market: stillMarket(), budgets, readPicture: async () => reading, report: () => undefined },
  );
const context = (given: Partial<Context> = {}): Context => ({ userId: 'ada', history: [], signal: new AbortController().signal, ...given });
const used = async (userId = 'ada') => (await createBudgets({ db: open.db, clock }).used(`model ${userId}`, DAY)) / 1e6;

describe('the costs of a model', () => {
  test('are what the endpoint counts, at the prices of the settings', async () => {
    model.plays = [sayCounted('Hello.', 1_000, 200)];
    expect((await analystOf(1).answer('hi', context())).text).toMatch(/^Hello\./);
    expect(measured).toEqual([{ input: 1_000, output: 200, dollars: 0.003 }]);
    expect(await used()).toBe(0.003);
  });

  test('are estimated from above where it counts nothing', async () => {
    model.plays = [say('Hello, this is a short answer.')];
    await analystOf(1).answer('hi', context());
    const characters = JSON.stringify(model.requests[0]?.body).length;
    const [use] = measured;
    expect(use?.input).toBeGreaterThan(characters / 4);
    expect(use?.input).toBeLessThan(characters);
    expect(use?.output).toBe(15);
    expect(await used()).toBe(use?.dollars);
  });

  test('count without a budget too, for the metrics alone', async () => {
    model.plays = [sayCounted('Hello.', 1_000, 200)];
    await analystOf(undefined).answer('hi', context());
    expect(measured).toHaveLength(1);
    expect(await open.db.$count(rows)).toBe(0);
  });

  test('are none for a request that the endpoint refuses, and an estimate for one that breaks off', async () => {
    model.plays = [refuse(401)];
    expect((await analystOf(1).answer('hi', context())).text).toContain(STAND_IN);
    expect(await used()).toBe(0);
    model.plays = [breakOff, sayCounted('Hello.', 1_000, 200)];
    await analystOf(1).answer('hi', context());
    expect(await used()).toBeGreaterThan(0.003);
    expect(measured).toHaveLength(3);
  });

  test('of a question that is stopped are an estimate', async () => {
    model.plays = [hang('Half')];
    const stop = new AbortController();
    const answer = analystOf(1).answer('hi', context({ signal: stop.signal }));
    await expect.poll(() => model.requests.length).toBe(1);
    expect(await used()).toBeGreaterThan(0.012); // the reservation
    stop.abort(new Error('stopped'));
    await expect(answer).rejects.toThrow('stopped');
    await expect.poll(used).toBeLessThan(0.012);
    expect(await used()).toBeGreaterThan(0);
  });

  test('that a process did not live to correct stay reserved', async () => {
    const budgets = createBudgets({ db: open.db, clock });
    model.plays = [sayCounted('Hello.', 1_000, 200)];
    await analystOf(1, { ...budgets, correct: () => Promise.reject(new Error('killed')) }).answer('hi', context());
    expect(await used()).toBeGreaterThan(0.012);
  });
});

describe('a daily budget', () => {
  test('that is used up leaves the answer to the built-in analyst, which says so and until when, for this user alone', async () => {
    model.plays = [sayCounted('Hello.', 1_000, 1_000)];
    const analyst = analystOf(RESERVED + 0.001);
    expect((await analyst.answer('hi', context())).text).toMatch(/^Hello\./);
    const { text } = await analyst.answer('price of bitcoin', context());
    expect(text.startsWith(`${USED_UP}\n\n`)).toBe(true);
    expect(text).toMatch(/It starts again at 00:00 UTC\..*\$[\d,]{5}/s);
    expect(model.requests).toHaveLength(1);
    expect((await analyst.answer('hi', context({ userId: 'eve' }))).text).toMatch(/^Hello\./);

    now += 2 * 60 * 1000; // past midnight
    expect((await analyst.answer('hi', context())).text).toMatch(/^Hello\./);
  });

  test('covers one reservation at a time, however many questions come at once to however many processes', async () => {
    model.plays = [sayCounted('Hello.', 1_000, 1_000)];
    const processes = [analystOf(2 * RESERVED), analystOf(2 * RESERVED)];
    const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => processes[at % 2]?.answer('hi', context())));
    expect(answers.filter((answer) => answer?.text.startsWith('Hello.')).length).toBe(model.requests.length);
    expect(answers.filter((answer) => answer?.text.startsWith(USED_UP)).length).toBe(8 - model.requests.length);
    expect(model.requests.length).toBeGreaterThan(0);
    expect(await used()).toBeLessThanOrEqual(2 * RESERVED);
  });

  test('of yesterday is not corrected in today', async () => {
    const gate = createGate();
    model.plays = [
      (response, request) => void gate.passed.then(() => sayCounted('Hello.', 1_000, 200)(response, request)),
      sayCounted('Hi.', 1_000, 1_000),
    ];
    const analyst = analystOf(1);
    const late = analyst.answer('hi', context());
    await expect.poll(() => model.requests.length).toBe(1);
    now += 2 * 60 * 1000;
    await analyst.answer('hi', context());
    expect(await used()).toBe(0.011);
    gate.open();
    expect((await late).text).toMatch(/^Hello\./);
    expect(await used()).toBe(0.011);
  });
});

describe('on PostgreSQL', () => {
  const opened: Awaited<ReturnType<typeof openDb>>[] = [];
  onPostgres(
    async ({ url }) => {
      // One after the other, because the first one makes the tables.
      for (let count = 0; count < 2; count++) opened.push(await openDb({ databaseUrl: url, dataDir: '', databaseTimeout: 20 }));
    },
    async () => void (await Promise.all(opened.map(({ close }) => close()))),
  );

  test('a budget covers reservations of two processes once', async () => {
    const processes = opened.map(({ db }) => createBudgets({ db, clock: 'database' }));
    const reserved = await Promise.all(
      Array.from({ length: 20 }, (_, at) => processes[at % 2]?.reserve('model ada', { max: 100, span: DAY }, 30)),
    );
    const ends = reserved.filter((endsAt) => endsAt !== undefined);
    expect(ends).toHaveLength(3);
    for (const endsAt of ends) await processes[0]?.correct('model ada', endsAt, -20);
    expect(await processes[1]?.used('model ada', DAY)).toBe(30);
  });
});
