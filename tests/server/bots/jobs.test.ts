import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Db, openDb } from '#server/db/open.ts';
import { bots } from '#server/db/schema/bots.ts';
import { createJobs, type Jobs } from '#server/jobs/jobs.ts';
import { readBundledCandles } from '#server/ports/market-data/bundled.ts';
import { createRig, plantBots } from '#tests/support/bots/bot-rig.ts';
import { quietExchange } from '#tests/support/bots/quiet-exchange.ts';
import type { PostgresServer } from '#tests/support/processes/postgres.ts';
import { startTcpProxy, type TcpProxy } from '#tests/support/processes/tcp-proxy.ts';
import { inlineJobs } from '#tests/support/server/inline-jobs.ts';
import { onPostgres, sharedEnv } from '#tests/support/server/on-postgres.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';
import { openTestDb } from '#tests/support/server/test-db.ts';

test('a hanging job delays only its own round', async () => {
  const opened = await openTestDb();
  const jobs = createJobs(opened.queue, (error) => expect(error).toBeUndefined());
  const queue = await jobs.queue<{ name: string }>('test');
  const begun: string[] = [];
  let release = (): void => undefined;
  const hangs = new Promise<void>((resolve) => {
    release = resolve;
  });
  const begins = (name: string) => vi.waitFor(() => expect(begun).toContain(name));
  const insert = (name: string) => queue.insert([{ id: randomUUID(), data: { name } }]);
  await queue.work({ atOnce: 40, rounds: 4 }, async ({ name }) => {
    begun.push(name);
    if (name.startsWith('hangs')) await hangs;
  });
  for (const name of ['hangs', 'hangs too', 'continues']) {
    await insert(name);
    await begins(name);
  }
  release();
  await jobs.stop(8_000);
  await opened.close();
});

test('a round that hangs does not keep the engine from stopping', async () => {
  const { db, close } = await openTestDb();
  onTestFinished(close);
  let asked = (): void => undefined;
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const hangs = () => {
    asked();
    return new Promise<never>(() => undefined);
  };
  const limits: number[] = [];
  const stop = async (limit: number) => void limits.push(limit);
  const rig = createRig({
    db,
    jobs: { ...inlineJobs(), stop },
    candles: readBundledCandles().slice(0, 2),
    start: 1,
    wrap: (exchange) => ({ ...exchange, feed: { ...exchange.feed, closed: hangs } }),
  });
  void rig.engine.start();
  await isAsked;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const stopped = rig.engine.stop();
  await vi.advanceTimersByTimeAsync(2000);
  await stopped;
  // Both together have eight seconds.
  expect(limits).toEqual([6000]);
});

describe('a bot process whose queue does not open at its start', () => {
  let postgres: PostgresServer;
  let proxy: TcpProxy;
  let env: ReturnType<typeof sharedEnv> & { ROLE: string; LOG_LEVEL: string };
  onPostgres(
    async (started) => {
      postgres = started;
      vi.spyOn(console, 'error').mockImplementation(() => undefined); // work after responses fails meanwhile
      const direct = new URL(postgres.url);
      proxy = await startTcpProxy({ port: Number(direct.port) });
      direct.port = String(proxy.port);
      env = { ...sharedEnv(direct.href), ROLE: 'bots', LOG_LEVEL: 'error' };
      const { db, close } = await openDb({ databaseUrl: postgres.url, dataDir: '' });
      await plantBots(db, 1, { secretsKey: env.SECRETS_KEY });
      await close();
    },
    async () => {
      vi.restoreAllMocks();
      await proxy?.close();
    },
  );

  const readiness = async ({ url }: TestServer): Promise<unknown> => (await fetch(`${url}/readyz`)).json();
  const isReady = (server: TestServer) =>
    vi.waitFor(async () => expect(await readiness(server)).toEqual({ status: 200 }), { timeout: 60_000, interval: 100 });
  const isSetUp = async (db: Db) => (await db.select({ status: bots.status }).from(bots)).every(({ status }) => status !== 'PROVISIONING');

  test('trades once PostgreSQL is back', async () => {
    let logged = '';
    const starting = startServer({
      env,
      logTo: {
        write: (line) => {
          logged += line;
        },
      },
      exchangeOn(db) {
        proxy.refuse(); // after the migrations, before the start of the bots
        return quietExchange(db);
      },
    });
    await vi.waitFor(() => expect(logged).toMatch(/bot (round|work) failed/), { timeout: 60_000 });
    await proxy.heal();
    const server = await starting;
    onTestFinished(server.close);
    await isReady(server);
    await vi.waitFor(async () => expect(await isSetUp(server.db)).toBe(true), { timeout: 60_000 });
  });

  test('says why its workers fail, in errors that the log can read', async () => {
    const { queue: source, close } = await openDb({ databaseUrl: env.DATABASE_URL, dataDir: '' });
    const errors: unknown[] = [];
    const jobs = createJobs(source, (error) => errors.push(error));
    const queue = await jobs.queue('test');
    await queue.work({ atOnce: 1, rounds: 1 }, async () => undefined);
    proxy.refuse();
    await vi.waitFor(() => expect(errors.map((error) => (error as Error).message)).toContainEqual(expect.stringContaining('Worker: ')), {
      timeout: 30_000,
    });
    await proxy.heal();
    expect(errors.filter((error) => !(error instanceof Error))).toEqual([]);
    await jobs.stop(1_000);
    await close();
  });

  test('is not ready before it takes jobs', async () => {
    let isBroken = true;
    let tries = 0;
    const inline = inlineJobs();
    const jobs: Jobs = {
      ...inline,
      async queue<T extends object>(name: string) {
        const queue = await inline.queue<T>(name);
        const work: typeof queue.work = async (...args) => {
          tries++;
          if (isBroken) throw new Error('no work today');
          await queue.work(...args);
        };
        return { ...queue, work };
      },
    };
    const server = await startServer({ env, jobs, logTo: { write: () => undefined } });
    onTestFinished(server.close);
    await vi.waitFor(() => expect(tries).toBeGreaterThan(0), { timeout: 60_000 });
    expect(await readiness(server)).toMatchObject({ status: 503, detail: { failed: expect.arrayContaining(['queue']) } });
    isBroken = false;
    await isReady(server);
  });
});
