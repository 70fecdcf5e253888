import { randomUUID } from 'node:crypto';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type BacktestForm, MAX_BACKTESTS } from '#contract/bots/backtest.ts';
import { DAY } from '#domain/clock.ts';
import { BacktestFailed, type BacktestRunner, createBacktestRunner } from '#server/backtests/backtest-runner.ts';
import { backtests } from '#server/db/schema/backtests.ts';
import { users } from '#server/db/schema/users.ts';
import { createRuns } from '#server/modules/backtests/runs.ts';
import { BACKTEST } from '#tests/attack/calls.ts';
import { bundleProgram } from '#tests/support/processes/bundle.mjs';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';
import { command } from '#tools/commands/backtest.ts';

const SHIPPED = fileURLToPath(new URL('../../../src/server/ports/market-data/snapshot/btcusdt-spot-1h.csv.gz', import.meta.url));
const WAIT = { timeout: 60_000, interval: 20 };

let server: TestServer;
let threads: BacktestRunner;
/** What runs the backtests; a test replaces it. */
let runner: Pick<BacktestRunner, 'run'>;
const now = Date.now();
let ada: SignedUp;

beforeAll(async () => {
  threads = createBacktestRunner(pathToFileURL(await bundleProgram('src/server/backtests/backtest-thread.ts')));
  const chosen: BacktestRunner = { run: (...given) => runner.run(...given), close: () => threads.close() };
  server = await startServer({ clock: () => now, backtests: chosen });
});
afterAll(() => server?.close());
beforeEach(async () => {
  runner = threads;
  await server.db.delete(backtests);
  ada = await server.signUp();
});

async function call(method: string, path: string, body?: object, { authorization }: Pick<SignedUp, 'authorization'> = ada, key?: string) {
  const response = await fetch(`${server.url}/api/backtests${path}`, {
    method,
    headers: { authorization, ...(body && { 'content-type': 'application/json' }), ...(key && { 'idempotency-key': key }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it
  return { status: response.status, body: (await response.json()) as any };
}
const start = (changes: Partial<BacktestForm> = {}, who = ada) => call('POST', '', { ...BACKTEST, ...changes }, who);
const read = async (id: string) => (await call('GET', `/${id}`)).body.data;
const statusOf = (id: string, status: string) => vi.waitFor(async () => expect((await read(id)).backtest.status).toBe(status), WAIT);

/** A runner whose runs end when they are canceled. */
function held(): { canceled: Promise<void>; run: BacktestRunner['run'] } {
  let end = () => {};
  const canceled = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    canceled,
    run: (_, { signal, onProgress }) => {
      onProgress?.(0);
      onProgress?.(0.42);
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          end();
          reject(signal.reason);
        });
      });
    },
  };
}

describe('a backtest', () => {
  test('runs in a thread and has the figures of npm run backtest', async () => {
    const { status, body } = await start({ interval: '1h', from: '2023-02-01', to: '2023-02-28', position_size: '2500' });
    expect([status, body.data.status]).toEqual([201, 'QUEUED']);
    await statusOf(body.data.id, 'DONE');
    const { backtest, result } = await read(body.data.id);
    const args = ['--from', '2023-02-01', '--to', '2023-03-01', '--capital', '2500', '--leverage', '15', '--loss-limit', '30'];
    const { output } = await command(['--candles', SHIPPED, ...args], '/');
    const rows = result.figures.map(({ label, strategy, held }: Record<string, string>) =>
      `${label?.padEnd(18)}${strategy?.padStart(14)}${held?.padStart(14)}`.trimEnd(),
    );
    expect(output).toContain(rows.join('\n'));
    expect(rows).toHaveLength(14);
    expect(backtest).toMatchObject({ progress: 1, reason: null, performance: result.performance });
    const list = (await call('GET', '')).body.data;
    expect(list.backtests).toEqual([backtest]);
    expect(list.candles).toContainEqual({ interval: '1h', market: 'Binance BTC/USDT spot', from: '2023-01-01', to: '2025-01-20' });
    expect(list.candles).toContainEqual({ interval: '5m', market: null, from: null, to: null });
  });

  test('is one per user: of many at once, one starts, and a repeated request starts none', async () => {
    runner = held();
    const answers = await Promise.all(Array.from({ length: 25 }, () => start()));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status, body } of answers.filter((each) => each.status !== 201))
      expect([status, body.code]).toEqual([409, 'backtest_running']);
    expect(await server.db.$count(backtests)).toBe(1);
    const eve = await server.signUp();
    const key = randomUUID();
    const [first, second] = [await call('POST', '', BACKTEST, eve, key), await call('POST', '', BACKTEST, eve, key)];
    expect([first.status, second.status, second.body.data.id]).toEqual([201, 201, first.body.data.id]);
    expect((await call('GET', `/${first.body.data.id}`)).status).toBe(404);
    expect((await call('DELETE', `/${first.body.data.id}`)).status).toBe(404);
  });

  test('is refused while 20 of all users wait', async () => {
    const others = Array.from({ length: 20 }, () => ({ id: randomUUID(), firstName: 'Ada', lastName: 'Lovelace', passwordHash: '-' }));
    await server.db.insert(users).values(others.map((user) => ({ ...user, email: `${user.id}@example.com` })));
    const row = { status: 'QUEUED', settings: BACKTEST, owner: 'another process' } as const;
    await server.db.insert(backtests).values(others.map(({ id: userId }) => ({ ...row, userId })));
    const { status, body } = await start();
    expect([status, body.code]).toEqual([503, 'backtests_busy']);
    expect((await call('GET', '')).body.data.backtests).toEqual([]);
  });

  test('tells its progress, and is canceled by its deletion, in this process at once and in another one at its next heartbeat', async () => {
    const here = held();
    runner = here;
    const { body } = await start();
    await statusOf(body.data.id, 'RUNNING');
    await vi.waitFor(async () => expect((await read(body.data.id)).backtest.progress).toBe(0.42), WAIT);
    expect((await call('DELETE', `/${body.data.id}`)).status).toBe(200);
    await here.canceled;
    expect((await call('GET', '')).body.data.backtests).toEqual([]);

    const there = held();
    const process = createRuns({ db: server.db, runner: { ...there, close: async () => undefined }, report: vi.fn() });
    const [row] = await server.db
      .insert(backtests)
      .values({ userId: ada.user.id, status: 'QUEUED', settings: BACKTEST, owner: process.owner })
      .returning();
    process.start(row?.id ?? '', BACKTEST);
    await statusOf(row?.id ?? '', 'RUNNING');
    expect((await call('DELETE', `/${row?.id}`)).status).toBe(200);
    await there.canceled;
    await process.close();
  });

  test.each([
    ['whose process was killed', sql`now() - interval '31 seconds'`],
    ['whose heartbeat is in the future', sql`now() + interval '1 hour'`],
  ])('%s is broken off, and the next one runs', async (_, beatAt) => {
    const row = { userId: ada.user.id, status: 'RUNNING', settings: BACKTEST, owner: 'killed', beatAt } as const;
    await server.db.insert(backtests).values(row);
    const { backtests: all } = (await call('GET', '')).body.data;
    expect(all).toMatchObject([{ status: 'FAILED', reason: 'The server stopped during this backtest. Run it again.' }]);
    expect((await start()).status).toBe(201);
  });

  test('that was broken off stays so when its process comes back', async () => {
    const process = createRuns({ db: server.db, runner: threads, report: vi.fn() });
    const row = { userId: ada.user.id, status: 'FAILED', settings: BACKTEST, owner: process.owner } as const;
    const [{ id } = { id: '' }] = await server.db.insert(backtests).values(row).returning({ id: backtests.id });
    process.start(id, BACKTEST);
    const { body } = await start();
    await statusOf(body.data.id, 'DONE');
    expect((await read(id)).result).toBeNull();
  });

  test('says why it failed', async () => {
    runner = { run: async () => Promise.reject(new BacktestFailed('The backtest took longer than 120 seconds.')) };
    const { body } = await start();
    await statusOf(body.data.id, 'FAILED');
    expect((await read(body.data.id)).backtest.reason).toBe('The backtest took longer than 120 seconds.');
  });

  test('replaces the oldest beyond the limit', async () => {
    const old = Array.from({ length: MAX_BACKTESTS }, (_, place) => ({
      ...{ userId: ada.user.id, status: 'DONE', settings: BACKTEST, owner: '' },
      createdAt: new Date(now - (place + 1) * DAY),
    }));
    await server.db.insert(backtests).values(old as never);
    runner = held();
    const { body } = await start();
    const rows = await server.db.select().from(backtests).where(eq(backtests.userId, ada.user.id)).orderBy(backtests.createdAt);
    expect(rows).toHaveLength(MAX_BACKTESTS);
    expect(rows.at(-1)?.id).toBe(body.data.id);
    expect(rows[0]?.createdAt).toEqual(new Date(now - (MAX_BACKTESTS - 1) * DAY));
  });

  const hostile: [string, Record<string, string>, string][] = [
    ['a length without candles', { interval: '5m' }, 'This server only has candles of 1h, 4h. Choose one of these lengths.'],
    ['an unknown length', { interval: '7m' }, 'Choose one of these lengths.'],
    ['days before the candles', { from: '2022-12-31' }, 'There are 4h candles from 2023-01-01 to 2025-01-19. Choose days in this range.'],
    ['days after the candles', { to: '9999-12-31' }, 'Choose days in this range.'],
    ['a hundred years', { from: '1925-01-01', to: '2025-01-01' }, 'There are 4h candles from 2023-01-01 to 2025-01-19.'],
    ['reversed days', { from: '2023-02-01', to: '2023-01-01' }, 'The last day must not be before the first day'],
    ['a day that does not exist', { from: '2023-02-30', to: '2023-03-30' }, 'Please enter the first day'],
    ['a day with a time', { to: '2023-01-10T10:00' }, 'Please enter the last day'],
    ['huge capital', { position_size: '1e308' }, 'Only digits'],
    ['100 KB of digits', { position_size: '9'.repeat(100_000) }, 'Only digits'],
    ['100 KB in a day', { from: '2023-01-01'.repeat(10_000) }, 'Please enter the first day'],
    ['more capital than a bot can have', { position_size: '9'.repeat(10) }, 'Only digits'],
    ['NaN', { position_size: 'NaN', leverage: 'NaN' }, 'Only digits'],
    ['a leverage above that of bots', { leverage: '16' }, 'Please enter a leverage from 1 to 15'],
    ['no leverage', { leverage: '0' }, 'Please enter a leverage from 1 to 15'],
    ['a loss limit that no bot has', { max_drawdown: '99' }, 'Please enter a loss limit from 5% to 90%'],
  ];
  test('is refused with other days, lengths and amounts than the server has', async () => {
    for (const [what, changes, message] of hostile) {
      const { status, body } = await start(changes);
      expect(status, what).toBe(400);
      expect(JSON.stringify(body), what).toContain(message);
    }
    expect(await server.db.$count(backtests)).toBe(0);
  });

  test.each([
    ['null', 'null', 400],
    ['a list', '[]', 400],
    ['half a body', '{"interval":', 400],
    ['a body of 200 KB', JSON.stringify({ ...BACKTEST, more: 'x'.repeat(200_000) }), 413],
  ])('is refused with %s as body, and the server goes on', async (_, body, status) => {
    const headers = { authorization: ada.authorization, 'content-type': 'application/json' };
    const refused = await fetch(`${server.url}/api/backtests`, { method: 'POST', headers, body });
    expect(refused.status).toBe(status);
    expect(await refused.json()).toMatchObject({ status, code: expect.any(String), message: expect.any(String) });
    expect((await call('GET', '')).body.data.backtests).toEqual([]);
  });

  test.each([
    ['a word', 'x'],
    ['another path', '..%2f..%2fusers'],
    ['a zero byte', '%00'],
    ['an unknown one', randomUUID()],
    ['8 KB', 'a'.repeat(8000)],
  ])('with %s as id is not found', async (_, id) => {
    for (const method of ['GET', 'DELETE']) expect([400, 404, 414]).toContain((await call(method, `/${id}`)).status);
  });

  test('is for users who may have bots; earlier results stay readable', async () => {
    await server.db.insert(backtests).values({ userId: ada.user.id, status: 'DONE', settings: BACKTEST, owner: '' });
    await server.db
      .update(users)
      .set({ createdAt: new Date(Date.now() - 31 * DAY) })
      .where(eq(users.id, ada.user.id));
    const { status, body } = await start();
    expect([status, body.code]).toEqual([403, 'no_access']);
    expect((await call('GET', '')).body.data.backtests).toHaveLength(1);
  });
});
