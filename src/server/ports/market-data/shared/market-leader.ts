import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { SECOND } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { lead, resign } from '#server/lifecycle/leadership.ts';
import { measure } from '#server/metrics/measurements.ts';
import type { MarketLog, Sharing } from '../market-data.ts';
import { type Learned, listWanted, MARKET_LEADER, MAX_WANTED, storeAnswer } from './answer-rows.ts';

/** How long a leader leads without renewing, how often it renews, and how often it looks for wanted answers whose hint was lost; ms. */
const LEASE = 10 * SECOND;
const RENEWAL = 2.5 * SECOND;
const ROUND = SECOND;
/** How long the end of a process waits for answers that the provider owes, ms. */
const CLOSE_LIMIT = 2 * SECOND;

interface Options {
  db: Db;
  /** Asks the provider for an answer, or returns this process's cached one; undefined for a key of another version. */
  ask: (key: string) => Promise<Learned | undefined>;
  /** Called when an answer is stored. */
  onStored: (key: string) => void;
  log: MarketLog;
}

/** Leads the market's processes while no other one does: asks the provider for what they want, and stores the answers. */
export function createMarketLeader({ db, ask, onStored, log }: Options): Sharing & { hurry(): void } {
  const owner = randomUUID();
  const serving = new Map<string, Promise<void>>();
  let fence: number | null = null;
  let renewAt = Number.NEGATIVE_INFINITY;
  let round: Promise<void> | undefined;
  let isAgain = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  async function renew(): Promise<void> {
    const began = performance.now();
    if (began < renewAt) return;
    const before = fence;
    fence = await lead(db, { name: MARKET_LEADER, owner, lease: LEASE });
    renewAt = began + RENEWAL;
    measure('marketLeader', { isLeader: fence !== null });
    if (fence !== null && before === null) log.info({ fence }, 'this process asks the market provider for all');
    if (fence === null && before !== null) log.warn({}, 'another process asks the market provider');
  }

  async function serve(key: string, term: number): Promise<void> {
    try {
      const learned = await ask(key);
      if (learned && (await storeAnswer(db, key, learned, { owner, fence: term }))) onStored(key);
    } catch (error) {
      log.warn({ key, err: error }, 'an answer of the market provider was not stored');
    } finally {
      serving.delete(key);
    }
  }

  async function runRound(): Promise<void> {
    await renew();
    if (fence === null || isClosed) return;
    for (const key of await listWanted(db)) {
      if (serving.size < MAX_WANTED && !serving.has(key)) serving.set(key, serve(key, fence));
    }
  }

  /** Runs one round at a time, and another one if it was asked for meanwhile. */
  function runRounds(): Promise<void> {
    isAgain = true;
    round ??= (async () => {
      while (isAgain && !isClosed) {
        isAgain = false;
        await runRound().catch((err: unknown) => log.warn({ err }, 'the market round failed'));
      }
      round = undefined;
    })();
    return round;
  }

  return {
    hurry() {
      if (fence !== null) void runRounds();
    },
    async start() {
      timer = setInterval(runRounds, ROUND).unref();
      await runRounds();
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      await Promise.race([Promise.all([round, ...serving.values()]), pause(CLOSE_LIMIT, undefined, { ref: false })]);
      if (fence !== null)
        await resign(db, { name: MARKET_LEADER, owner }).catch((err: unknown) => log.warn({ err }, 'market leadership not ended'));
      fence = null;
      measure('marketLeader', { isLeader: false });
    },
  };
}
