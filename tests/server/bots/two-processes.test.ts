import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { count, gt, max, sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { type OpenDb, openDb } from '#server/db/open.ts';
import { botOrders, botSignals, bots } from '#server/db/schema/bots.ts';
import { leases } from '#server/db/schema/operations.ts';
import { plantBots } from '#tests/support/bots/bot-rig.ts';
import { bundleProgram } from '#tests/support/processes/bundle.mjs';
import { onPostgres } from '#tests/support/server/on-postgres.ts';

const BOTS = 20;
/** A range of the bundled candles with many trades. */
const START = 6300;
const MAX_STEPS = 300;
/** Longer than any lease, even on a busy machine. */
const POLLING = { timeout: 120_000, interval: 20 };

interface Trader {
  child: ChildProcess;
  /** Closes the next candle. Resolves when the process has queued its jobs or received it. */
  step(): Promise<void>;
}

let open: OpenDb;
const traders: Trader[] = [];

async function startTrader(program: string, databaseUrl: string): Promise<Trader> {
  const orders = { dataDir: '', databaseUrl, start: START, end: START + MAX_STEPS + 50, life: 0, seed: 0, deadly: 0 };
  const child = spawn(process.execPath, [program, JSON.stringify(orders)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  return {
    child,
    async step() {
      child.stdin.write('\n');
      await lines.next();
    },
  };
}

onPostgres(
  async (postgres) => {
    open = await openDb({ databaseUrl: postgres.url, dataDir: '' });
    await plantBots(open.db, BOTS, { now: Date.now() });
    const program = await bundleProgram('tests/faults/bot-trader.ts');
    traders.push(await startTrader(program, postgres.url), await startTrader(program, postgres.url));
  },
  async () => {
    for (const { child } of traders) child.kill('SIGKILL');
    await open?.close();
  },
);

test('two processes share the bots: each candle is handled once, and one takes over the bots of the other when it is killed', {
  timeout: 300_000,
}, async () => {
  const { db } = open;
  const [first, second] = traders as [Trader, Trader];
  const statuses = async () =>
    (await db.select({ status: bots.status, count: count() }).from(bots).groupBy(bots.status)).map((row) => `${row.count} ${row.status}`);
  const lastCandle = async () => (await db.select({ last: max(botSignals.candle) }).from(botSignals))[0]?.last ?? 0;
  const filled = () => db.$count(botOrders, sql`${botOrders.state} = 'filled'`);

  /** Waits until all jobs are done, because bots skip a signal that arrives after the next candle. */
  const jobsDone = () =>
    vi.waitFor(async () => {
      const { rows } = (await db.execute(sql`select count(*)::int as left from boss.job where state < 'completed'`)) as { rows: object[] };
      expect(rows).toEqual([{ left: 0 }]);
    }, POLLING);

  await vi.waitFor(async () => expect(await statuses()).toEqual([`${BOTS} RUNNING`]), POLLING);
  for (let step = 0; step < MAX_STEPS && (await db.$count(bots, sql`${bots.position} is not null`)) === 0; step++) {
    await Promise.all([first.step(), second.step()]);
    await jobsDone();
  }
  await vi.waitFor(async () => expect(await filled()).toBe(BOTS), POLLING);

  // Kill the leader while it closes all positions.
  const before = await lastCandle();
  await db.update(bots).set({ status: 'STOPPING', stopMode: 'close' });
  await vi.waitFor(async () => expect(await filled()).toBeGreaterThan(BOTS), POLLING);
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  const killedAt = Date.now();
  // Its leases expire soon. The other process takes over in one of its rounds, every two seconds.
  const [lead] = await db.select({ until: max(leases.until) }).from(leases);
  const [held] = await db.select({ until: max(bots.leaseUntil) }).from(bots);
  expect((lead?.until?.getTime() ?? 0) - killedAt).toBeLessThanOrEqual(6000);
  expect((held?.until?.getTime() ?? 0) - killedAt).toBeLessThanOrEqual(10_000);
  await second.step();
  await vi.waitFor(async () => expect(await lastCandle()).toBeGreaterThan(before), POLLING);
  await vi.waitFor(async () => expect(await statuses()).toEqual([`${BOTS} STOPPED`]), POLLING);

  const twice = await db
    .select({ botId: botOrders.botId, candle: botOrders.candle })
    .from(botOrders)
    .where(sql`${botOrders.candle} is not null`)
    .groupBy(botOrders.botId, botOrders.candle)
    .having(gt(count(), 1));
  expect(twice).toEqual([]);
  expect(await filled()).toBe(2 * BOTS);
  expect(await db.$count(bots, sql`${bots.position} is not null`)).toBe(0);
});
