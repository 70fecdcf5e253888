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
import { withDeadline } from '#server/with-deadline.ts';
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
/** How long running jobs may take at the end of the process, ms. Another process takes over the others when their lease expires. */
const STOP_LIMIT = 8 * SECOND;
/** The part of it that a running round may take, ms. The next leader schedules what the round does not. */
const ROUND_STOP_LIMIT = 2 * SECOND;
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

/** Creates what runs one round at a time. It logs a failure and leaves the retry to the next round. */
function createRounds(round: () => Promise<void>, log: Parts['log']) {
  let active: Promise<void> | undefined;
  return {
    run(): Promise<void> {
      active ??= round()
        .catch((err: unknown) => log.error({ err }, 'bot round failed'))
        .finally(() => {
          active = undefined;
        });
      return active;
    },
    /** Waits for the running round at the end of the process, up to the limit. */
    settled: () =>
      withDeadline(ROUND_STOP_LIMIT, undefined, async () => active).catch((err: unknown) => log.warn({ err }, 'bot round not ended')),
  };
}

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
  const rounds = createRounds(leadRound, log);

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

  async function startRounds(): Promise<void> {
    const onClose = feed.onClose(async (candle) => {
      if (term === null) return;
      await schedule.scheduleCandle(candle, term).catch((err: unknown) => log.error({ err }, 'candle not scheduled'));
    });
    const timer = setInterval(rounds.run, ROUND_INTERVAL).unref();
    stops.push(onClose, () => clearInterval(timer));
    await rounds.run();
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
    runRound: rounds.run,

    checkQueue: queue.check,

    /** Schedules bots that are due at once, for a change that must not wait for the next round. */
    sweepNow: (): Promise<void> => start().then(() => schedule.hurry()),

    /** Stops in order and resigns, so that another process takes over at once. */
    async stop(): Promise<void> {
      const end = performance.now() + STOP_LIMIT;
      queue.keepClosed();
      for (const stop of stops) stop();
      stops = [];
      await rounds.settled();
      accounts.close();
      await jobs.stop(end - performance.now());
      if (term !== null) await resign(db, { name: LEADER, owner }).catch((err: unknown) => log.warn({ err }, 'leadership not ended'));
      term = null;
    },
  };
}
