import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { HOUR, MINUTE, SECOND } from '#domain/clock.ts';
import { openDb, type QueueSource } from '#server/db/open.ts';
import { bots } from '#server/db/schema/bots.ts';
import { type AddressBudget, createAddressBudget } from '#server/ports/exchange/address-budget.ts';
import { createBybit } from '#server/ports/exchange/bybit/bybit.ts';
import { DIALS, LIMIT } from '#server/ports/exchange/bybit/open.ts';
import { readBundledCandles } from '#server/ports/market-data/bundled.ts';
import { createRig, plantBots } from '#tests/support/bots/bot-rig.ts';
import { startBybit } from '#tests/support/bots/bybit/bybit-server.ts';
import { freeBudget } from '#tests/support/bots/bybit/free-budget.ts';
import { directJobs } from '#tests/support/server/direct-jobs.ts';

/** Number of closed candles at the start; after the next one the strategy buys. */
const START = 6253;
/** Time between two rounds of the engine while the clock is moved, ms. */
const STEP = 15 * SECOND;
/** Rounds after the candle in which every bot must have entered. */
const MAX_ROUNDS = 60;
/** Jobs of a live exchange that run at once, as the engine asks for. */
const AT_ONCE = 64;

interface Measured {
  idlePerHour: number;
  holdingPerHour: number;
  callsPerEntry: number;
  /** Calls of an entry by path, most frequent first. */
  entryCalls: string;
  /** CPU time of an entry in this process, which also has the fake exchange and the database; ms. */
  cpuPerEntry: number;
  /** Messages to the database per entry. */
  messagesPerEntry: number;
  /** ms from the candle's close until the last order reached the exchange. */
  lastOrder: number;
  /** Requests that were refused because of too many. */
  banned: number;
  /** Bots with an open position, and those of them with a stop. */
  open: number;
  safe: number;
}

/** Opens a fake Bybit whose clock is real time plus what the bench skips. */
async function openStage(dataDir: string) {
  const { db, queue, close } = await openDb({ databaseUrl: undefined, dataDir });
  const messages = countMessages(queue);
  const candles = readBundledCandles().slice(0, START + 30);
  const began = Date.now();
  const clock = { skipped: 0, isStill: true };
  /** The feed's time plus what passed since; while the bench moves the clock, real time stands still. */
  const now = (): number => (candles[START]?.time ?? 0) + clock.skipped + (clock.isStill ? 0 : Date.now() - began);
  const price = candles[START]?.open ?? 0;
  const server = await startBybit({ now, price: () => price });
  const real = createAddressBudget({ db, clock: Date.now, isAlone: true, name: 'requests:bench', limit: LIMIT });
  let budget: AddressBudget = freeBudget;
  const bybit = createBybit({
    testnet: false,
    urls: [server.url],
    referral: { code: '77' },
    clock: now,
    budget: { take: (urgency) => budget.take(urgency), block: () => budget.block() },
    streams: { dials: freeBudget },
    interval: HOUR,
    report: console.error,
  });
  return {
    ...{ db, messages, candles, server, bybit, clock, now, price },
    /** From now on, real time passes and the address has its real limits, here and at the exchange. */
    limit(): void {
      clock.isStill = false;
      budget = real;
      server.address.limit();
    },
    /** Real time stands still again, without limits. */
    free(): void {
      clock.skipped = now() - (candles[START]?.time ?? 0);
      clock.isStill = true;
      budget = freeBudget;
      server.address.forgive();
    },
    async close(): Promise<void> {
      await bybit.close();
      await server.close();
      await close();
    },
  };
}

/** Counts the messages to an embedded database. */
function countMessages(queue: QueueSource): () => number {
  if (!('pglite' in queue)) throw new Error('This bench needs an embedded database.');
  const { pglite } = queue;
  const send = pglite.execProtocolRaw.bind(pglite);
  let count = 0;
  pglite.execProtocolRaw = (...message) => {
    count++;
    return send(...message);
  };
  return () => count;
}

/** Trades with this many live bots in one process: an hour without an entry, an entry signal for all, and an hour with positions. */
async function measure(count: number): Promise<Measured> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
  const stage = await openStage(dataDir);
  const { db, candles, server, bybit, clock, now, price } = stage;
  try {
    const keys = Array.from({ length: count }, (_, place) => server.open(`bot-${place}`, { balance: 10_000, affiliateId: 77 }));
    await plantBots(db, count, {
      now: now(),
      positionSize: 10_000,
      exchange: 'bybit',
      keys: (place) => ({ key: keys[place]?.key ?? '', secret: keys[place]?.secret ?? '' }),
    });
    const rig = createRig({
      db,
      candles,
      start: START,
      clock: now,
      jobs: directJobs({ atOnce: AT_ONCE }),
      wrap: (paper) => ({
        ...bybit,
        feed: { ...paper.feed, now, forming: async () => ({ ...(await paper.feed.forming()), close: price }) },
      }),
    });
    await rig.engine.start();
    const skip = async (ms: number) => {
      for (let left = ms; left > 0; left -= STEP) {
        clock.skipped += STEP;
        await rig.engine.runRound();
      }
    };
    // Set-up, streams and the first looks are done before the hour begins.
    await skip(15 * MINUTE);
    while (server.streams.subscribed() < count) await pause(100);
    await skip(15 * MINUTE);

    const quiet = server.address.counts.requests;
    await skip(HOUR);
    const idlePerHour = (server.address.counts.requests - quiet) / count;

    const before = server.address.counts.requests;
    const firstCall = server.calls.length;
    stage.limit();
    const closedAt = now();
    const messagesBefore = stage.messages();
    const cpuBefore = process.cpuUsage();
    await rig.feed.step();
    // A cycle that failed is scheduled again by later rounds.
    for (let round = 0; round < MAX_ROUNDS && keys.some(({ venue }) => !venue.position()); round++) {
      await pause(SECOND);
      await rig.engine.runRound();
    }
    const { user, system } = process.cpuUsage(cpuBefore);
    const cpuPerEntry = (user + system) / 1000 / count;
    const messagesPerEntry = (stage.messages() - messagesBefore) / count;
    const callsPerEntry = (server.address.counts.requests - before) / count;
    const entryCalls = countByPath(server.calls.slice(firstCall), count);
    const positions = keys.map(({ venue }) => venue.position()).filter((position) => position !== null);
    const placed = keys.map(({ venue }) => venue.orders.at(-1)?.createdAt ?? Number.POSITIVE_INFINITY);
    const lastOrder = Math.max(...placed) - closedAt;
    const banned = server.address.counts.refused;
    stage.free();

    await skip(5 * MINUTE);
    const holding = server.address.counts.requests;
    await skip(HOUR);
    const holdingPerHour = (server.address.counts.requests - holding) / count;
    await rig.engine.stop();
    const safe = positions.filter(({ stop }) => stop !== null).length;
    const costs = { idlePerHour, holdingPerHour, callsPerEntry, entryCalls, cpuPerEntry, messagesPerEntry };
    return { ...costs, lastOrder, banned, open: await db.$count(bots), safe };
  } finally {
    await stage.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function countByPath(calls: readonly { path: string }[], bots: number): string {
  const counts = new Map<string, number>();
  for (const { path } of calls) counts.set(path, (counts.get(path) ?? 0) + 1);
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  return sorted.map(([path, count]) => `${path} ${(count / bots).toFixed(2)}`).join(', ');
}

/** Measures what live bots cost the exchange, on the fake Bybit. Returns lines to print. */
export async function liveBotsBench(count = 1000): Promise<string[]> {
  const { idlePerHour, holdingPerHour, callsPerEntry, entryCalls, cpuPerEntry, messagesPerEntry, ...end } = await measure(count);
  const { lastOrder, banned, open, safe } = end;
  const connections = `${DIALS.max} connections a minute`;
  return [
    `${count} live bots: ${idlePerHour.toFixed(1)} calls per bot and hour idle (bar 12), ${holdingPerHour.toFixed(1)} holding (bar 60)`,
    `An entry signal for all: ${callsPerEntry.toFixed(1)} calls per bot, last order after ${(lastOrder / SECOND).toFixed(0)} s (bar 60), ${banned} requests banned, ${safe} of ${open} positions with a stop`,
    `Calls of an entry: ${entryCalls}`,
    `CPU of an entry: ${cpuPerEntry.toFixed(1)} ms with the fake exchange and the database, ${messagesPerEntry.toFixed(1)} messages to the database`,
    `Streams open at ${connections}`,
  ];
}
