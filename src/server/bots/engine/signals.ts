import { and, eq, inArray, isNotNull, or, sql } from 'drizzle-orm';
import type { Clock } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { createBatcher } from '#server/batcher.ts';
import type { Db } from '#server/db/open.ts';
import { botSignals, bots } from '#server/db/schema/bots.ts';
import type { CandleFeed } from '#server/ports/exchange/exchange.ts';
import { NO_GUARDS } from '#server/strategy/guards.ts';
import type { Parameters } from '#server/strategy/parameters.ts';
import type { Signal } from '#server/strategy/signal.ts';
import { createStrategy, type Strategy } from '#server/strategy/strategy.ts';
import { decide } from '#server/strategy/trader.ts';
import { type KeptPosition, positionOf } from '../store/position.ts';

interface Parts {
  db: Db;
  clock: Clock;
  feed: CandleFeed;
  parameters: Parameters;
}

/** Works out the signal of each candle, once for all bots. */
export function createSignals({ db, clock, feed, parameters }: Parts) {
  let strategy: Strategy | undefined;
  let last: Signal | undefined;

  /** The strategy's memory ends exactly, so that one that begins anew says the same. */
  async function afresh(candle: Candle): Promise<Signal | undefined> {
    strategy = createStrategy(parameters);
    let signal: Signal | undefined;
    for (const past of await feed.closed(parameters.window + 1)) if (past.time <= candle.time) signal = strategy.next(past);
    return signal?.candle.time === candle.time ? signal : undefined;
  }

  const find = createBatcher(async (asked: readonly number[]) => {
    const rows = await db
      .select({ candle: botSignals.candle, signal: botSignals.signal })
      .from(botSignals)
      .where(inArray(botSignals.candle, [...new Set(asked)]));
    const found = new Map(rows.map(({ candle, signal }) => [candle, signal as Signal]));
    return asked.map((candle) => found.get(candle));
  });

  return {
    /** Undefined where the feed has gone on and no longer has it. */
    async compute(candle: Candle): Promise<Signal | undefined> {
      if (last?.candle.time === candle.time) return last;
      const follows = strategy && last && last.candle.time + feed.interval === candle.time;
      const signal = follows ? strategy?.next(candle) : await afresh(candle);
      last = signal;
      return signal;
    },

    /** Keeps it, for those who act on it. */
    async keep(signal: Signal): Promise<void> {
      const values = { candle: signal.candle.time, signal, createdAt: new Date(clock()) };
      await db.insert(botSignals).values(values).onConflictDoNothing();
    },

    of: async (candle: number): Promise<Signal | undefined> => (last?.candle.time === candle ? last : find(candle)),
  };
}

/** Whether a candle reached something that rests for a position, and so may have ended it. */
const reached = ({ stop, target, liquidationPrice }: KeptPosition, { low, high }: Candle): boolean =>
  [stop, target, liquidationPrice].some((price) => price !== null && price >= low && price <= high);

/**
 * The bots that a candle concerns: those that may enter, those whose position it may have ended, and those whose rules
 * close it. All others are not touched, so that load grows with orders and not with bots times candles.
 */
export async function concerned(
  { db, feed }: Pick<Parts, 'db' | 'feed'>,
  signal: Signal,
  steps: { quantity: number; price: number; least: number },
): Promise<string[]> {
  const { candle, entry } = signal;
  const waiting = and(eq(bots.status, 'RUNNING'), sql`${bots.pausedBy} is distinct from 'user'`);
  const rows = await db
    .select({ id: bots.id, status: bots.status, position: bots.position, leverage: bots.leverage, handled: bots.handledCandle })
    .from(bots)
    .where(entry ? or(isNotNull(bots.position), waiting) : isNotNull(bots.position));
  const at = candle.time + feed.interval;
  return rows
    .filter(({ status, leverage, handled, ...row }) => {
      if (status === 'ERROR' || handled === candle.time) return false;
      const position = positionOf(row);
      if (!position) return true;
      if (reached(position, candle)) return true;
      if (status !== 'RUNNING') return false;
      const situation = { position, equity: 0, balance: 0, guards: NO_GUARDS, leverage, steps, at };
      return decide(signal, situation).kind === 'close';
    })
    .map(({ id }) => id);
}
