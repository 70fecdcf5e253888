import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { eq, isNotNull, sql } from 'drizzle-orm';
import { HOUR } from '#domain/clock.ts';
import { openDb } from '#server/db/open.ts';
import { botOrders, bots } from '#server/db/schema/bots.ts';
import { createJobs } from '#server/jobs/jobs.ts';
import { readBundledCandles } from '#server/ports/market-data/bundled.ts';
import { usualFunding } from '#server/strategy/backtest/funding.ts';
import { runBacktest } from '#server/strategy/backtest/run-backtest.ts';
import { PERPETUAL } from '#server/strategy/matching/perpetual.ts';
import { createRig, plantBots } from '#tests/support/bots/bot-rig.ts';

const SIZES = [1_000, 10_000];
/** Number of candles without a trade signal. */
const QUIET = 20;

interface Measured {
  /** ms per bot, from the close of a candle with a signal until every order is journaled and filled. */
  perBot: number;
  /** CPU time of that, ms, which a busy machine does not stretch. */
  processorPerBot: number;
  jobsPerSecond: number;
  /** Candles without a signal, per second. */
  quietPerSecond: number;
  memoryMb: number;
}

/** Trades with this many bots in one process, on the embedded database with durable commits. */
async function measure(count: number): Promise<Measured> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
  const { db, queue, close } = await openDb({ databaseUrl: undefined, dataDir });
  try {
    const candles = readBundledCandles();
    const facts = { interval: HOUR, capital: 1000, rules: { ...PERPETUAL, leverage: 15 }, fundingBetween: usualFunding };
    const { trades } = runBacktest(candles, { ...facts, from: candles[6000]?.time ?? 0 });
    const entered = candles.findIndex(({ time }) => time === trades[0]?.openedAt);
    const rig = createRig({ db, candles, start: entered - 1 - QUIET, clock: Date.now, jobs: createJobs(queue, console.error) });
    await plantBots(db, count, { now: Date.now() });
    await db.update(bots).set({ status: 'RUNNING', lastExchangeAt: new Date() });
    await rig.engine.start();

    const quietAt = performance.now();
    for (let step = 0; step < QUIET; step++) await rig.feed.step();
    const quiet = performance.now() - quietAt;

    const jobsLeft = sql`select count(*)::int as left from boss.job where state < 'completed'`;
    while (((await db.execute(jobsLeft)) as unknown as { rows: { left: number }[] }).rows[0]?.left !== 0) await pause(200);

    const before = process.cpuUsage();
    const at = performance.now();
    await rig.feed.step();
    while ((await db.$count(botOrders, eq(botOrders.state, 'filled'))) < count || (await db.$count(bots, isNotNull(bots.position))) < count)
      await pause(200);
    const took = performance.now() - at;
    const { user, system } = process.cpuUsage(before);
    const memoryMb = process.memoryUsage.rss() / 2 ** 20;
    await rig.engine.stop();
    const processorPerBot = (user + system) / 1000 / count;
    return {
      perBot: took / count,
      processorPerBot,
      jobsPerSecond: (1000 * count) / took,
      quietPerSecond: (1000 * QUIET) / quiet,
      memoryMb,
    };
  } finally {
    await close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Measures the cost of a candle with many paper bots in one process. Returns lines to print. */
export async function botsBench(sizes = SIZES): Promise<string[]> {
  const lines: string[] = [];
  const costs: number[] = [];
  for (const size of sizes) {
    const { perBot, processorPerBot, jobsPerSecond, quietPerSecond, memoryMb } = await measure(size);
    costs.push(processorPerBot);
    const times = `${perBot.toFixed(1)} ms each, ${processorPerBot.toFixed(1)} of them the processor’s`;
    const bot = `${times}, ${jobsPerSecond.toFixed(0)} jobs a second`;
    lines.push(
      `${size} paper bots enter at one candle: ${bot}; ${quietPerSecond.toFixed(0)} candles a second without a setup; ${memoryMb.toFixed(0)} MB`,
    );
  }
  const [few = Number.NaN, many = Number.NaN] = [costs[0], costs.at(-1)];
  return [...lines, `Processor time of a bot among ${sizes.at(-1)} to one among ${sizes[0]}: ${(many / few).toFixed(2)}`];
}
