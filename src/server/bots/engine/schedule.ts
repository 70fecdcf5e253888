import type { FastifyBaseLogger } from 'fastify';
import { type Clock, SECOND } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import type { Db } from '#server/db/open.ts';
import type { Exchange } from '#server/ports/exchange/exchange.ts';
import type { Signal } from '#server/strategy/signal.ts';
import { findDueBots } from '../store/due-bots.ts';
import { haltReasonOfAll } from '../store/halts.ts';
import { uuidv5 } from '../store/uuid.ts';
import { findAffectedBots } from './affected-bots.ts';
import type { Signals } from './signals.ts';

/** Sweeps within this time share job ids, so that a bot gets one job of them, ms. */
const SWEEP_WINDOW = 5 * SECOND;
/** When the schedule checks that every affected bot has handled a candle, ms after the candle's jobs. */
const RECHECK_DELAY = 8 * SECOND;

/** One cycle of a bot. */
export interface BotJob {
  botId: string;
  candle?: number;
  /** Another sweep follows when the bot's retry is due, so the queue does not retry a failed cycle. */
  isSweep?: true;
}

interface Parts {
  db: Db;
  clock: Clock;
  /** Names this process. */
  owner: string;
  exchange: Pick<Exchange, 'feed' | 'terms'>;
  signals: Signals;
  /** Adds jobs to the queue; it ignores ids that it already has. */
  enqueue: (jobs: readonly { id: string; data: BotJob }[]) => Promise<void>;
  log: Pick<FastifyBaseLogger, 'error'>;
}

/**
 * Creates the schedule, which turns closed candles and sweeps into jobs. `term` is the leader's fence: each leader schedules the last
 * candle once more, because the leader before may have died on it.
 */
export function createSchedule({ db, clock, owner, exchange, signals, enqueue, log }: Parts) {
  const { feed } = exchange;
  let latest: { signal: Signal; at: number; isRechecked: boolean } | undefined;
  /** The term that has scheduled the last candle. */
  let startedTerm: number | undefined;
  let hurries = 0;
  let sweeps = { count: 0, began: Number.NEGATIVE_INFINITY };

  /** @param occasion names the jobs: the same occasion enqueues a bot once. */
  const enqueueBots = (botIds: readonly string[], occasion: string, job: Omit<BotJob, 'botId'>): Promise<void> =>
    enqueue(botIds.map((botId) => ({ id: uuidv5(occasion, botId), data: { botId, ...job } })));

  const enqueueLooks = (botIds: readonly string[], occasion: string): Promise<void> => {
    const candle = latest?.signal.candle.time;
    return enqueueBots(botIds, occasion, { isSweep: true, ...(candle !== undefined && { candle }) });
  };

  async function scheduleSignal(signal: Signal, occasion: string): Promise<void> {
    const isHalted = (await haltReasonOfAll(db)) !== null;
    const botIds = await findAffectedBots(db, isHalted ? { ...signal, entry: null } : signal, exchange);
    await signals.store(signal);
    if (botIds.length > 0) await enqueueBots(botIds, occasion, { candle: signal.candle.time });
  }

  async function scheduleCandle(candle: Candle, term: number): Promise<void> {
    const signal = await signals.compute(candle);
    if (!signal) return;
    await scheduleSignal(signal, `candle:${candle.time}:${term}`);
    latest = { signal, at: clock(), isRechecked: false };
  }

  return {
    scheduleCandle,

    /** Schedules the last candle at the start of a term. Logs a failure and retries in the next round. */
    async startTerm(term: number): Promise<void> {
      if (startedTerm === term) return;
      try {
        const [last] = (await feed.closed(1)).slice(-1);
        if (last) await scheduleCandle(last, term);
        startedTerm = term;
      } catch (err) {
        log.error({ err }, 'last candle not scheduled again');
      }
    },

    /** Schedules the latest candle once more for bots that have not handled it. */
    async recheckCandle(term: number): Promise<void> {
      if (!latest || latest.isRechecked || Math.abs(clock() - latest.at) < RECHECK_DELAY) return;
      latest.isRechecked = true;
      await scheduleSignal(latest.signal, `again:${latest.signal.candle.time}:${term}`);
    },

    /**
     * Schedules the bots that need a cycle whatever the market does.
     * @param watched bots whose account reports its changes
     */
    async sweep(watched: readonly string[]): Promise<void> {
      const now = clock();
      // Counted, because a clock that is set back would repeat the ids of jobs that are done.
      if (Math.abs(now - sweeps.began) >= SWEEP_WINDOW) sweeps = { count: sweeps.count + 1, began: now };
      await enqueueLooks(await findDueBots(db, now, watched), `sweep:${owner}:${sweeps.count}`);
    },

    /** Schedules these bots at once; without them, those for which something must be done. */
    async hurry(botIds?: readonly string[]): Promise<void> {
      await enqueueLooks(botIds ?? (await findDueBots(db, clock(), 'all')), `hurry:${owner}:${++hurries}`);
    },
  };
}
