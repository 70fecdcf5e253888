import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { FastifyBaseLogger } from 'fastify';
import { type Clock, SECOND } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { lead, resign } from '#server/lifecycle/leadership.ts';
import type { NotifyAll } from '#server/modules/notifications/service.ts';
import type { Exchange } from '#server/ports/exchange/exchange.ts';
import { parametersFor } from '#server/strategy/parameters.ts';
import type { KeySafe } from '../keys/key-safe.ts';
import type { AccessOf } from '../store/access.ts';
import { createBatchedStore } from '../store/batched-store.ts';
import { createBotQueue } from './bot-queue.ts';
import { createRunBotCycle } from './run-cycle.ts';
import { createSchedule } from './schedule.ts';
import { createSignals } from './signals.ts';
import type { CycleParts } from './steps/cycle.ts';
import { createAccountWatch } from './watch-accounts.ts';

/** Interval of the leader's rounds, ms. */
const ROUND_INTERVAL = 2 * SECOND;
/** How long a leader leads without renewing, ms. */
const LEADER_LEASE = 6 * SECOND;
/** Name of the leader's row in `leases`. */
export const LEADER = 'bot candles';

interface Parts extends Pick<CycleParts, 'sleep'> {
  db: Db;
  clock: Clock;
  exchange: Exchange;
  jobs: Jobs;
  notifyAll: NotifyAll;
  safe: KeySafe;
  accessOf: AccessOf;
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>;
}

const leadBots = (db: Db, owner: string, now: number): Promise<number | null> =>
  lead(db, { name: LEADER, owner, lease: LEADER_LEASE, now: sql`${new Date(now).toISOString()}::timestamptz` });

/** Creates the bot engine. One process leads and schedules cycles of bots; every process runs them. */
export function createEngine(parts: Parts) {
  const { db, clock, exchange, jobs, log } = parts;
  const { feed } = exchange;
  const owner = randomUUID();
  const signals = createSignals({ db, clock, feed, parameters: parametersFor(feed.interval) });
  const store = createBatchedStore({ ...parts, feed, owner });
  const runBotCycle = createRunBotCycle({ ...parts, store, signalOf: signals.find });

  const queue = createBotQueue({ jobs, exchange, runBotCycle });
  const schedule = createSchedule({ ...parts, owner, signals, enqueue: queue.insert });
  const accounts = createAccountWatch({ ...parts, look: schedule.hurry });
  let started: Promise<void> | undefined;
  let stops: (() => void)[] = [];
  /** This process's term as the leader; null while another process leads. */
  let term: number | null = null;
  let activeRound: Promise<void> | undefined;

  async function leadRound(): Promise<void> {
    await queue.open();
    term = await leadBots(db, owner, clock());
    if (term === null) {
      accounts.close();
      return;
    }
    await schedule.startTerm(term);
    await schedule.recheckCandle(term);
    await accounts.update();
    await schedule.sweep(accounts.live());
  }

  /** Runs one round at a time. Logs a failure and leaves the retry to the next round. */
  function runRound(): Promise<void> {
    activeRound ??= leadRound()
      .catch((err: unknown) => log.error({ err }, 'bot round failed'))
      .finally(() => {
        activeRound = undefined;
      });
    return activeRound;
  }

  async function startRounds(): Promise<void> {
    const onClose = feed.onClose(async (candle) => {
      if (term === null) return;
      await schedule.scheduleCandle(candle, term).catch((err: unknown) => log.error({ err }, 'candle not scheduled'));
    });
    const timer = setInterval(runRound, ROUND_INTERVAL).unref();
    stops.push(onClose, () => clearInterval(timer));
    await runRound();
  }

  function start(): Promise<void> {
    started ??= startRounds();
    return started;
  }

  return {
    runBotCycle,
    /** Starts to work; resolves after the first round. While the queue does not open, each round tries again. */
    start,
    /** Runs one round of the leader's work. */
    runRound,

    checkQueue: queue.check,

    /** Schedules bots that are due at once, for a change that must not wait for the next round. */
    sweepNow: (): Promise<void> => start().then(() => schedule.hurry()),

    /** Stops in order and resigns, so that another process takes over at once. */
    async stop(): Promise<void> {
      queue.keepClosed();
      for (const stop of stops) stop();
      stops = [];
      await activeRound;
      accounts.close();
      await jobs.stop();
      if (term !== null) await resign(db, { name: LEADER, owner }).catch((err: unknown) => log.warn({ err }, 'leadership not ended'));
      term = null;
    },
  };
}
