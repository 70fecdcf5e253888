import { randomUUID } from 'node:crypto';
import { and, asc, eq, gt, inArray, isNotNull, lt, ne, or, sql } from 'drizzle-orm';
import type { FastifyBaseLogger } from 'fastify';
import { type Clock, MINUTE, SECOND } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import type { Db } from '#server/db/open.ts';
import { botOrders, bots } from '#server/db/schema/bots.ts';
import type { Jobs, Queue } from '#server/jobs/jobs.ts';
import type { Notify } from '#server/modules/notifications/service.ts';
import type { Exchange } from '#server/ports/exchange/exchange.ts';
import { parametersFor } from '#server/strategy/parameters.ts';
import type { Signal } from '#server/strategy/signal.ts';
import type { KeySafe } from '../keys/key-safe.ts';
import type { AccessOf } from '../store/access.ts';
import { createDesk } from '../store/batched-store.ts';
import { abdicate, lead, MOST_AHEAD } from '../store/bot-lease.ts';
import { haltReasonOfAll } from '../store/bots.ts';
import { uuidv5 } from '../store/uuid.ts';
import { createTend } from './run-cycle.ts';
import { concerned, createSignals } from './signals.ts';

/** How often it is looked for bots that need something, ms. */
const SWEEP = 2 * SECOND;
/** Sweeps within this are one occasion: a bot gets one job of them, ms. */
const OCCASION = 5 * SECOND;
/** A bot with a position is looked at this often, and any running one this often, whatever the market does; ms. */
const LOOK_HELD = MINUTE;
const LOOK = 5 * MINUTE;
/** An order that nobody knows the end of is looked up after this, ms. */
const UNCLEAR = 5 * SECOND;
/** When it is made sure that every bot concerned has handled a candle, after it was given out, ms. */
const SECOND_LOOK = 8 * SECOND;
/** Bots that one sweep looks after: those that waited longest. */
const MOST_AT_ONCE = 200;
/** Jobs that run at once. */
const JOBS_AT_ONCE = 200;
/** On a live exchange a bot may wait long for an answer, and the others must not wait with it; each round costs processor time. */
const ROUNDS = { paper: 1, live: 4 };
const QUEUE = 'bots';

type Work = { botId: string; candle?: number };

interface Parts {
  db: Db;
  clock: Clock;
  exchange: Exchange;
  jobs: Jobs;
  notify: Notify;
  safe: KeySafe;
  accessOf: AccessOf;
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>;
}

/**
 * Runs the bots. One process at a time leads: it hears each candle close, works out its signal and gives the bots that
 * it concerns to the queue, and it looks for bots that need something anyway. Every process works on the queue.
 */
export function createEngine(parts: Parts) {
  const { db, clock, exchange, jobs, log } = parts;
  const { feed, steps } = exchange;
  const owner = randomUUID();
  const parameters = parametersFor(feed.interval);
  const signals = createSignals({ db, clock, feed, parameters });
  const desk = createDesk({ ...parts, feed, owner });
  const tend = createTend({ ...parts, desk, signalOf: signals.of });

  let queue: Promise<Queue<Work>> | undefined;
  let begun: Promise<void> | undefined;
  let reign: number | null = null;
  /** The reign that began with the last candle. */
  let begunReign: number | null = null;
  /** The last candle that was given out in this reign. */
  let given: { signal: Signal; at: number; checked: boolean } | undefined;
  let ends: (() => void)[] = [];
  let sweeping: Promise<void> | undefined;
  let hurries = 0;

  async function give(botIds: readonly string[], occasion: string, candle: number | undefined): Promise<void> {
    const work = await queue;
    const data = (botId: string): Work => ({ botId, ...(candle !== undefined && { candle }) });
    await work?.insert(botIds.map((botId) => ({ id: uuidv5(occasion, botId), data: data(botId) })));
  }

  async function giveOut(signal: Signal, occasion: string): Promise<void> {
    const halted = (await haltReasonOfAll(db)) !== null;
    const due = await concerned({ db, feed }, halted ? { ...signal, entry: null } : signal, steps);
    await signals.keep(signal);
    if (due.length > 0) await give(due, occasion, signal.candle.time);
  }

  async function onCandle(candle: Candle): Promise<void> {
    if (reign === null) return;
    const signal = await signals.compute(candle);
    if (!signal) return;
    await giveOut(signal, `candle:${candle.time}:${reign}`);
    given = { signal, at: clock(), checked: false };
  }

  /**
   * A new leader gives out the last candle again: the one before may have ended in the middle of it. What keeps it from that,
   * such as a market out of reach, keeps it from nothing else; it is tried again with the next round.
   */
  async function takeOver(): Promise<void> {
    if (begunReign === reign) return;
    try {
      const [last] = (await feed.closed(1)).slice(-1);
      if (last) await onCandle(last);
      begunReign = reign;
    } catch (err) {
      log.error({ err }, 'the last candle was not given out again');
    }
  }

  async function secondLook(now: number): Promise<void> {
    if (!given || given.checked || now - given.at < SECOND_LOOK) return;
    given.checked = true;
    await giveOut(given.signal, `again:${given.signal.candle.time}:${reign}`);
  }

  /** Bots that need something whatever the market does, those that waited longest first. */
  async function findDue(now: number): Promise<string[]> {
    const before = (ms: number) => new Date(now - ms);
    const seenBefore = (ms: number) =>
      or(sql`${bots.lastExchangeAt} is null`, lt(bots.lastExchangeAt, before(ms)), gt(bots.lastExchangeAt, before(-MOST_AHEAD)));
    const unclear = db
      .select({ id: botOrders.botId })
      .from(botOrders)
      .where(and(inArray(botOrders.state, ['intended', 'accepted']), lt(botOrders.updatedAt, before(UNCLEAR))));
    const rows = await db
      .select({ id: bots.id })
      .from(bots)
      .where(
        or(
          inArray(bots.status, ['PROVISIONING', 'STOPPING']),
          and(isNotNull(bots.leaseOwner), lt(bots.leaseUntil, new Date(now))),
          and(eq(bots.status, 'RUNNING'), seenBefore(LOOK)),
          and(ne(bots.status, 'ERROR'), isNotNull(bots.position), seenBefore(LOOK_HELD)),
          and(ne(bots.status, 'ERROR'), sql`${bots.position} -> 'unsettledSince' is not null`),
          and(ne(bots.status, 'ERROR'), inArray(bots.id, unclear)),
        ),
      )
      .orderBy(sql`${bots.lastExchangeAt} nulls first`, asc(bots.id))
      .limit(MOST_AT_ONCE);
    return rows.map(({ id }) => id);
  }

  async function sweep(occasion: string): Promise<void> {
    await give(await findDue(clock()), occasion, given?.signal.candle.time);
  }

  /** Keeps the lead if it can be had, and does what a leader does. */
  async function rule(): Promise<void> {
    reign = await lead(db, owner, clock());
    if (reign === null) return;
    await takeOver();
    await secondLook(clock());
    await sweep(`sweep:${Math.floor(clock() / OCCASION)}`);
  }

  /** One round at a time; what goes wrong is tried again with the next. */
  function round(): Promise<void> {
    sweeping ??= rule()
      .catch((err: unknown) => log.error({ err }, 'the bots were not looked after'))
      .finally(() => {
        sweeping = undefined;
      });
    return sweeping;
  }

  async function start(work: Queue<Work>): Promise<void> {
    const rounds = exchange.kind === 'paper' ? ROUNDS.paper : ROUNDS.live;
    await work.work({ atOnce: JOBS_AT_ONCE, rounds }, async ({ botId, candle }) => {
      if (!(await tend(botId, candle))) throw new Error('another worker is at it');
    });
    ends.push(feed.onClose((candle) => onCandle(candle).catch((err: unknown) => log.error({ err }, 'a candle was not handled'))));
    const timer = setInterval(round, SWEEP).unref();
    ends.push(() => clearInterval(timer));
    await round();
  }

  function begin(): Promise<void> {
    queue ??= jobs.queue<Work>(QUEUE);
    begun ??= queue.then(start);
    return begun;
  }

  return {
    tend,
    /** Begins to work; resolves after the first round. */
    begin,
    /** One round of a leader's work, now. */
    round,

    /** Whether there is anything to do for an engine. */
    async isNeeded(): Promise<boolean> {
      return (await db.$count(bots, or(ne(bots.status, 'STOPPED'), isNotNull(bots.position)))) > 0;
    },

    /** There is something to do that should not wait for the next round. */
    async hurry(): Promise<void> {
      await begin();
      await sweep(`hurry:${owner}:${++hurries}`);
    },

    /** Ends the work in an orderly way: another process takes over at once. */
    async stop(): Promise<void> {
      await begun?.catch(() => undefined);
      for (const end of ends) end();
      ends = [];
      await sweeping;
      await jobs.stop();
      if (reign !== null) await abdicate(db, owner);
      reign = null;
    },
  };
}
