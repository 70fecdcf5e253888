import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type BotComparison, MAX_COMPARED } from '#contract/bots/bot-comparison.ts';
import { sumOfCents } from '#domain/bots/bot-amounts.ts';
import { HOUR, MINUTE } from '#domain/clock.ts';
import { BacktestFailed, type BacktestRunner } from '#server/backtests/backtest-runner.ts';
import { createComparisons } from '#server/bots/api/comparison/comparisons.ts';
import { botEvents, bots, botTrades } from '#server/db/schema/bots.ts';
import { paperFeed } from '#server/db/schema/paper.ts';
import { ExchangeError } from '#server/ports/exchange/exchange.ts';
import { createPaperExchange } from '#server/ports/exchange/paper/paper-exchange.ts';
import { createSteppedFeed } from '#server/ports/exchange/paper/stepped-feed.ts';
import { readBundledCandles } from '#server/ports/market-data/bundled.ts';
import { parametersFor } from '#server/strategy/parameters.ts';
import { botBody, botCaller, forgetKeyChecks } from '#tests/support/bots/bots.ts';
import { inlineBacktests } from '#tests/support/bots/inline-backtests.ts';
import { inlineJobs } from '#tests/support/server/inline-jobs.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

/** A range of the bundled candles with many trades, after the strategy's warm-up. */
const START = 6300;
const STEPS = 220;
/** When a bot is stopped. */
const STOP = 60;
const WARM_UP = parametersFor(HOUR).window;

const feed = createSteppedFeed(readBundledCandles().slice(START - WARM_UP, START + STEPS + 1), { interval: HOUR, start: WARM_UP });
/** The server's clock; tests move it on. */
let ahead = 0;
const clock = () => feed.now() + ahead;
/** What runs the backtests; tests replace it. */
let run: BacktestRunner['run'];
let runs = 0;

let server: TestServer;
let user: SignedUp;
let call: ReturnType<typeof botCaller>;

beforeAll(async () => {
  server = await startServer({
    clock,
    exchangeOn: (db) => createPaperExchange({ db, feed }),
    jobs: inlineJobs(),
    backtests: {
      run: (...given) => {
        runs++;
        return run(...given);
      },
      close: async () => undefined,
    },
  });
  user = await server.signUp();
  await signIn();
});
afterAll(() => server.close());
beforeEach(() => {
  run = inlineBacktests().run;
  runs = 0;
});

/** Signs the user in again, because the clock has moved on. */
async function signIn(): Promise<void> {
  const answer = await server.post('/auth/login/', { email: user.user.email, password: user.password });
  const { data } = (await answer.json()) as { data: { accessToken: string } };
  user = { ...user, authorization: `Bearer ${data.accessToken}` };
  call = botCaller(server, user);
}

async function createBot(): Promise<string> {
  await forgetKeyChecks(server);
  const { status, body } = await call('POST', '/trading-bots', botBody());
  expect(status).toBe(201);
  const id = body.data.bot_id;
  const isRunning = async () => expect((await call('GET', `/trading-bots/${id}`)).body.data.status).toBe('RUNNING');
  await vi.waitFor(isRunning, { interval: 50 });
  return id;
}

async function compared(id: string): Promise<BotComparison> {
  const { status, body } = await call('GET', `/trading-bots/${id}/comparison`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}

/** Checks that all sums of a comparison agree to the cent. */
function expectSums({ bot_profit, backtest_profit, difference, causes }: BotComparison): void {
  expect(sumOfCents([bot_profit, -backtest_profit])).toBe(difference);
  expect(sumOfCents(causes.map(({ amount }) => amount))).toBe(difference);
}

/** A promise that a test resolves. */
function gateOf() {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}

const causesOf = ({ causes }: BotComparison) => causes.map(({ cause }) => cause).sort();

describe('a bot beside the backtest of the same days', () => {
  let [untouched, paused, stopped] = ['', '', ''];

  beforeAll(async () => {
    [untouched, paused, stopped] = [await createBot(), await createBot(), await createBot()];
    // The journal has the order of its dates.
    ahead = 1;
    await call('POST', `/trading-bots/${paused}/pause`);
    ahead = 0;
    for (let step = 0; step < STEPS; step++) {
      await feed.step();
      if (step !== STOP) continue;
      await signIn();
      await call('POST', `/trading-bots/${stopped}/stop`, { mode: 'close' });
    }
    await signIn();
  }, 240_000);

  test('made the same trades, to the cent', async () => {
    const result = await compared(untouched);
    expect(result.bot_trades).toBeGreaterThan(2);
    expect(result.backtest_trades).toBe(result.bot_trades);
    expect(result).toMatchObject({ difference: 0, causes: [], capital: 1000, leverage: 15, max_drawdown: 30, interval: '1h', band: 15 });
    for (const { difference, parts, text } of result.trades) expect([difference, parts, text]).toEqual([0, [], null]);
    const { body } = await call('GET', `/trading-bots/${untouched}/profits`);
    expect(result.bot_profit).toBe(sumOfCents(body.data.days.map(({ profit }: { profit: number }) => profit)));
    expectSums(result);
  });

  test('lost the trades during a pause, and says so', async () => {
    const result = await compared(paused);
    expect(result.bot_trades).toBe(0);
    expect(causesOf(result)).toEqual(['paused']);
    for (const { bot, text } of result.trades) {
      expect(bot).toBeNull();
      expect(['You had paused entries.', 'Skipped an entry: paused by you.']).toContain(text);
    }
    expect(result.difference).toBe(-result.backtest_profit);
    expectSums(result);
  });

  test('lost the trades after a stop, and says so', async () => {
    const result = await compared(stopped);
    expect(causesOf(result)).toContain('stopped');
    expect(result.trades[0]).toMatchObject({ bot: null, text: 'The bot was stopped.' });
    expectSums(result);
  });
});

describe('a comparison', () => {
  let id: string;

  /** Adds closed trades of the bot: a long and a short one each hour, from `hours` hours ago on. */
  async function addTrades(count: number, hours = 190, facts: Partial<typeof botTrades.$inferInsert> = {}): Promise<void> {
    const rows = Array.from({ length: count }, (_, index) => {
      const openedAt = feed.now() - (hours - Math.floor(index / 2)) * HOUR;
      const times = {
        feedOpened: openedAt,
        feedClosed: openedAt + HOUR,
        openedAt: new Date(openedAt),
        closedAt: new Date(openedAt + HOUR),
      };
      const side = index % 2 === 0 ? ('long' as const) : ('short' as const);
      const prices = { quantity: 0.01, entryPrice: 60_000, exitPrice: 60_100, pnl: 0.995, fees: 0.5, reason: 'by hand' };
      return { userId: user.user.id, botId: id, entryId: randomUUID(), side, ...prices, ...times, ...facts };
    });
    await server.db.insert(botTrades).values(rows);
  }

  beforeEach(async () => {
    ahead += 5 * MINUTE;
    await signIn();
    id = await createBot();
    await server.db
      .update(bots)
      .set({ createdAt: new Date(feed.now() - 200 * HOUR) })
      .where(eq(bots.id, id));
  });

  test('is refused before a candle has closed, to other users and for ids that are none', async () => {
    await server.db
      .update(bots)
      .set({ createdAt: new Date(clock()) })
      .where(eq(bots.id, id));
    expect((await call('GET', `/trading-bots/${id}/comparison`)).body).toMatchObject({ status: 409, code: 'nothing_to_compare' });
    const other = botCaller(server, await server.signUp());
    expect((await other('GET', `/trading-bots/${id}/comparison`)).status).toBe(404);
    for (const bad of [randomUUID(), 'x', '..%2F..', '%00', "'; drop table bots", 'a'.repeat(5000)])
      expect([400, 404, 414]).toContain((await call('GET', `/trading-bots/${encodeURIComponent(bad)}/comparison`)).status);
    expect(runs).toBe(0);
  });

  test('covers a single candle', async () => {
    await server.db
      .update(bots)
      .set({ createdAt: new Date(clock() - HOUR) })
      .where(eq(bots.id, id));
    expect(await compared(id)).toMatchObject({ bot_trades: 0, difference: 0, from: new Date(feed.now() - HOUR).toISOString() });
  });

  test('is refused for a bot without money', async () => {
    await addTrades(1, 300, { pnl: -1000 });
    expect((await call('GET', `/trading-bots/${id}/comparison`)).body).toMatchObject({ status: 409, code: 'nothing_to_compare' });
  });

  test('lists the newest of 1,000 trades and adds up all of them', async () => {
    await server.db
      .update(bots)
      .set({ createdAt: new Date(feed.now() - 520 * HOUR) })
      .where(eq(bots.id, id));
    await addTrades(1000, 510);
    const result = await compared(id);
    expect(result.bot_trades).toBe(1000);
    expect(result.bot_profit).toBe(1000);
    expect(result.trades).toHaveLength(MAX_COMPARED);
    expect(result.trade_count).toBeGreaterThanOrEqual(1000);
    expect(result.trades[0]).toMatchObject({ backtest: null, parts: [{ cause: 'extra', amount: 1 }] });
    expectSums(result);
  });

  test('is kept until a trade closes or a setting changes', async () => {
    await addTrades(1);
    const first = await compared(id);
    expect(await compared(id)).toEqual(first);
    expect(runs).toBe(1);
    await addTrades(1, 100);
    expect((await compared(id)).bot_trades).toBe(2);
    await call('PUT', `/trading-bots/${id}`, { max_drawdown: '12' });
    expect((await compared(id)).max_drawdown).toBe(12);
    expect(runs).toBe(3);
  });

  test('begins when size or leverage changed, with the profits until then', async () => {
    await addTrades(1, 150, { pnl: 50 });
    await addTrades(2, 90);
    await server.db
      .insert(botEvents)
      .values({ botId: id, actor: 'user', kind: 'resized', text: '-', createdAt: new Date(clock() - 100 * HOUR) });
    const result = await compared(id);
    expect(result).toMatchObject({ capital: 1050, bot_trades: 2, from: new Date(feed.now() - 100 * HOUR).toISOString() });
    expectSums(result);
  });

  test('notes a change of size or leverage', async () => {
    await call('POST', `/trading-bots/${id}/stop`, { mode: 'close' });
    const isStopped = async () => expect((await call('GET', `/trading-bots/${id}`)).body.data.status).toBe('STOPPED');
    await vi.waitFor(isStopped, { interval: 50 });
    await call('PUT', `/trading-bots/${id}`, { position_size: '2000' });
    const kinds = (await server.db.select().from(botEvents).where(eq(botEvents.botId, id))).map(({ kind }) => kind);
    expect(kinds).toContain('resized');
  });

  test('leaves out the trades of an earlier feed, and converts times over a change of speed', async () => {
    const changed = feed.now() - 120 * HOUR;
    const spans = [
      { id: 1, epoch: 1, kind: 'replay' as const, clockAnchor: 0, feedAnchor: 10 ** 15, speed: 1, firstCandle: 0 },
      { id: 2, epoch: 2, kind: 'live' as const, clockAnchor: changed, feedAnchor: changed - 40 * HOUR, speed: 1, firstCandle: 0 },
      {
        id: 3,
        epoch: 2,
        kind: 'live' as const,
        clockAnchor: changed + 80 * HOUR,
        feedAnchor: changed + 40 * HOUR,
        speed: 2,
        firstCandle: 0,
      },
    ];
    await server.db.insert(paperFeed).values(spans);
    await addTrades(1, 190, { feedOpened: 10 ** 15, feedClosed: 10 ** 15 + HOUR });
    await addTrades(1, 60);
    const exchange = createPaperExchange({ db: server.db, feed: { ...feed, epoch: 2 } });
    const comparisons = createComparisons({ db: server.db, clock, exchange, runner: inlineBacktests() });
    const result = await comparisons.compare(user.user.id, id, new AbortController().signal);
    await server.db.delete(paperFeed);
    expect(result).toMatchObject({ from: new Date(changed - 40 * HOUR).toISOString(), bot_trades: 1, capital: 1001 });
    expectSums(result);
  });

  test('runs one at a time per user, and ends when its bot is deleted meanwhile', async () => {
    await addTrades(1);
    const second = id;
    id = await createBot();
    let active = 0;
    let most = 0;
    const gate = gateOf();
    run = async (...given) => {
      most = Math.max(most, ++active);
      await gate.passed;
      active--;
      return inlineBacktests().run(...given);
    };
    const answers = [second, second].map((bot) => call('GET', `/trading-bots/${bot}/comparison`));
    await vi.waitFor(() => expect(runs).toBe(1));
    expect((await call('DELETE', `/trading-bots/${second}`)).status).toBe(200);
    gate.open();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([404, 404]);
    expect([most, runs]).toEqual([1, 1]);
  });

  test('is canceled when its connection closes, and the next one runs', async () => {
    await addTrades(1);
    const canceled = gateOf();
    run = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          canceled.open();
          reject(signal.reason);
        });
      });
    const leaving = new AbortController();
    const { authorization } = user;
    const left = fetch(`${server.url}/api/v1/trading-bots/${id}/comparison`, { headers: { authorization }, signal: leaving.signal });
    await vi.waitFor(() => expect(runs).toBe(1));
    leaving.abort();
    await expect(left).rejects.toThrow();
    await canceled.passed;
    run = inlineBacktests().run;
    expect((await compared(id)).bot_trades).toBe(1);
  });

  test('begins with the first trade that the backtest still lists', async () => {
    const inline = inlineBacktests().run;
    run = async (...given) => {
      const result = await inline(...given);
      return { ...result, trades: result.trades.slice(0, 1), trade_count: result.trades.length };
    };
    await addTrades(1);
    const result = await compared(id);
    expect(result).toMatchObject({ bot_trades: 0, backtest_trades: 1 });
    expect(result.from).toBe(result.trades[0]?.backtest?.opened_at);
    expectSums(result);
  });

  test.each([
    ['takes too long', () => new Promise<never>(() => undefined), 'comparison_failed', { limit: 50 }],
    ['fails', () => Promise.reject(new BacktestFailed('The backtest ended with an error.')), 'comparison_failed'],
    ['has no candles', () => Promise.reject(new ExchangeError('unavailable', 'The exchange does not answer.')), 'market_unavailable'],
  ])('answers 503 when it %s', async (_, fails, code, limit: { limit?: number } = {}) => {
    const exchange = createPaperExchange({ db: server.db, feed });
    const runner = { run: fails, close: async () => undefined };
    const comparisons = createComparisons({ db: server.db, clock, exchange, runner, ...limit });
    const compare = comparisons.compare(user.user.id, id, new AbortController().signal);
    await expect(compare).rejects.toMatchObject({ status: 503, code });
  });
});
