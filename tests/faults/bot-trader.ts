import fs from 'node:fs';
import { createInterface } from 'node:readline';
import type { PGlite } from '@electric-sql/pglite';
import { eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import { HOUR, MINUTE } from '#domain/clock.ts';
import { createRandom } from '#domain/random.ts';
import { createBotService } from '#server/bots/api/service.ts';
import { createKeySafe } from '#server/bots/keys/key-safe.ts';
import { type Db, openDb, type QueueSource } from '#server/db/open.ts';
import { bots } from '#server/db/schema/bots.ts';
import { createJobs } from '#server/jobs/jobs.ts';
import { createAddressBudget } from '#server/ports/exchange/address-budget.ts';
import { createBybit } from '#server/ports/exchange/bybit/bybit.ts';
import type { Exchange } from '#server/ports/exchange/exchange.ts';
import { readBundledCandles } from '#server/ports/market-data/bundled.ts';
import { createRig, SECRETS_KEY } from '../support/bots/bot-rig.ts';
import { freeBudget } from '../support/bots/bybit/free-budget.ts';

/** How long bans and delays of the exchange last at most, ms. */
const CALM = 10 * MINUTE;
/** Cycles of each bot at the end. */
const LAST_ROUNDS = 3;
/** Longer than any lease, ms, so that the leases of a killed process have expired. */
const LIFE = 11_000;

/** What the user does after which candles, of every so many. */
const COMMANDS: Partial<Record<number, 'close' | 'pause' | 'resume'>> = { 6: 'close', 14: 'pause', 17: 'resume' };
const COMMANDS_EVERY = 20;
/** Cycles that an exchange which refuses calls may need to close a position. */
const MAX_TRIES = 200;
/** The same for an exchange that may delay the order until the next candle. */
const FEW_TRIES = 3;

const orders = z.object({
  dataDir: z.string(),
  /** PostgreSQL shared with other traders, with the real queue and the real clock. */
  databaseUrl: z.optional(z.string()),
  /** Closed candles at the start and at the end. */
  start: z.number(),
  end: z.number(),
  /** Number of earlier starts. */
  life: z.number(),
  seed: z.number(),
  /** Probability of a kill before each message to the database. */
  deadly: z.number(),
  /** An exchange in another process, and the URL that moves its market. */
  bybit: z.optional(z.object({ url: z.string(), conductor: z.string(), isCruel: z.boolean() })),
});
type Orders = z.infer<typeof orders>;

/**
 * A process that trades candles and follows a user's commands, and kills itself (kill -9) at moments that the seed decides: before any message to the database,
 * inside transactions too. It prints each candle before it closes, so that the next process knows where to continue.
 */
async function trade({ dataDir, start, end, life, seed, deadly, bybit }: Orders): Promise<void> {
  const { db, queue, close } = await openDb({ databaseUrl: undefined, dataDir });
  expose(queue, createRandom(seed), deadly);
  const candles = readBundledCandles().slice(0, end);
  let late = 0;
  const clock = (): number => rig.feed.now() + life * LIFE + late;
  const outside = bybit && (await openOutside(db, bybit, clock));
  const rig = createRig({ db, candles, start, clock, ...(outside && { wrap: outside.wrap }) });
  await outside?.move(start, life * LIFE);
  await rig.engine.start();
  await setUp(db, rig, bybit?.isCruel === true);
  const command = createUser(db, rig, clock, bybit?.isCruel === true);
  await command(start);
  for (let closed = start; closed < end; closed++) {
    fs.writeSync(1, `${closed + 1}\n`);
    await outside?.move(closed + 1, life * LIFE);
    await rig.feed.step();
    await command(closed + 1);
  }
  await outside?.calm();
  // The exchange's clock has gone on too.
  late = CALM;
  // Accounts advance lazily, on read: read them all at the end, so that results compare. Late news may take a second cycle.
  for (let round = 0; round < LAST_ROUNDS; round++)
    for (const { id } of await db.select({ id: bots.id }).from(bots)) await rig.engine.runBotCycle(id);
  await rig.engine.stop();
  await close();
}

/** Sets up the bots before the first candle: a bot that is ready later has no entry there, and other results. */
async function setUp(db: Db, { engine }: ReturnType<typeof createRig>, isCruel: boolean): Promise<void> {
  for (let tries = 0; tries < (isCruel ? FEW_TRIES : MAX_TRIES); tries++) {
    const waiting = await db.select({ id: bots.id }).from(bots).where(eq(bots.status, 'PROVISIONING'));
    if (waiting.length === 0) return;
    for (const { id } of waiting) await engine.runBotCycle(id).catch(() => undefined);
  }
}

/** Returns a user who closes positions and pauses entries after certain candles. A process that was killed repeats the commands. */
function createUser(db: Db, { exchange, engine }: ReturnType<typeof createRig>, clock: () => number, isCruel: boolean) {
  const accessOf = async () => ({ allowed: true, reason: 'premium' }) as const;
  const parts = { db, clock, exchange, testnet: false, safe: createKeySafe(SECRETS_KEY), accessOf, wake: () => undefined };
  const service = createBotService({ ...parts, runBotCycle: engine.runBotCycle });

  async function follow(botId: string): Promise<void> {
    for (let tries = 0; tries < (isCruel ? FEW_TRIES : MAX_TRIES); tries++) {
      const [bot] = await db.select({ closing: bots.closing }).from(bots).where(eq(bots.id, botId));
      if (!bot?.closing) return;
      await engine.runBotCycle(botId).catch(() => undefined);
    }
    if (!isCruel) throw new Error('The position was not closed.');
  }

  return async (closed: number): Promise<void> => {
    const owned = await db.select({ id: bots.id, userId: bots.userId, status: bots.status }).from(bots).orderBy(bots.createdAt, bots.id);
    for (const [place, { id, userId, status }] of owned.entries()) {
      const name = COMMANDS[(closed + 5 * place) % COMMANDS_EVERY];
      // While the exchange blocks the address, a new bot waits for its setup, and takes no commands.
      if (name === undefined || status === 'PROVISIONING') continue;
      await db.transaction((tx) => service[name](tx, userId, id));
      await follow(id);
    }
  };
}

/** Opens the real adapter to an exchange that survives a kill of this process. Its market moves before ours does. */
async function openOutside(db: Db, { url, conductor }: NonNullable<Orders['bybit']>, clock: () => number) {
  const patience = { answer: 5000, limit: 0 };
  const bybit = createBybit({
    testnet: false,
    urls: [url],
    referral: { code: '77' },
    clock,
    budget: createAddressBudget({ db, clock, isAlone: true, name: 'requests', limit: { max: 10_000, span: 500 } }),
    streams: { dials: freeBudget, patience: { ping: 5000, firstRetry: 5, maxRetry: 20 } },
    interval: HOUR,
    report: console.error,
    patience,
  });
  const conduct = async (how: object): Promise<void> => void (await fetch(conductor, { method: 'POST', body: JSON.stringify(how) }));
  return {
    wrap: (paper: Exchange): Exchange => ({ ...bybit, feed: paper.feed }),
    /** Called before this process closes its candles up to the same count. */
    move: (closed: number, ahead: number) => conduct({ closed, ahead }),
    /** Ends all faults. */
    calm: () => conduct({ calm: true }),
  };
}

function expose(queue: QueueSource, random: () => number, deadly: number): void {
  if (!('pglite' in queue) || deadly === 0) return;
  const pglite: PGlite = queue.pglite;
  const send = pglite.execProtocolRaw.bind(pglite);
  pglite.execProtocolRaw = (...message) => {
    if (random() < deadly) process.kill(process.pid, 'SIGKILL');
    return send(...message);
  };
}

/** Trades next to other processes, one candle per input line. */
async function tradeTogether({ dataDir, start, end }: Orders, databaseUrl: string): Promise<void> {
  const { db, queue, close } = await openDb({ databaseUrl, dataDir });
  const candles = readBundledCandles().slice(0, end);
  const rig = createRig({ db, candles, start, clock: Date.now, jobs: createJobs(queue, console.error) });
  await rig.engine.start();
  fs.writeSync(1, 'ready\n');
  for await (const _line of createInterface({ input: process.stdin })) {
    const { time } = await rig.feed.step();
    fs.writeSync(1, `${time}\n`);
  }
  await rig.engine.stop();
  await close();
}

const given = z.parse(orders, JSON.parse(process.argv[2] ?? '{}'));
await (given.databaseUrl === undefined ? trade(given) : tradeTogether(given, given.databaseUrl));
