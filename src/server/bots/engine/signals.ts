import { inArray, ne, sql } from 'drizzle-orm';
import type { Clock } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { createBatcher } from '#server/batcher.ts';
import type { Db } from '#server/db/open.ts';
import { botSignals } from '#server/db/schema/bots.ts';
import type { CandleFeed } from '#server/ports/exchange/exchange.ts';
import type { Parameters } from '#server/strategy/parameters.ts';
import type { Signal } from '#server/strategy/signal.ts';
import { createStrategy, type Strategy } from '#server/strategy/strategy.ts';

interface Parts {
  db: Db;
  clock: Clock;
  feed: CandleFeed;
  parameters: Parameters;
}

/** A stored signal names its candle's length: after a change of the setting, a candle of another length may open at the same time. */
type StoredSignal = Signal & { interval?: number };

export type Signals = ReturnType<typeof createSignals>;

/** Creates the source of signals, which computes the signal of each candle once for all bots. */
export function createSignals({ db, clock, feed, parameters }: Parts) {
  let strategy: Strategy | undefined;
  let last: Signal | undefined;

  /** Replays the strategy's window. The strategy remembers no more than that, so the signal is the same. */
  async function recompute(candle: Candle): Promise<Signal | undefined> {
    strategy = createStrategy(parameters);
    let signal: Signal | undefined;
    for (const past of await feed.closed(parameters.window + 1)) if (past.time <= candle.time) signal = strategy.next(past);
    return signal?.candle.time === candle.time ? signal : undefined;
  }

  const find = createBatcher(async (candles: readonly number[]) => {
    const rows = await db
      .select({ candle: botSignals.candle, signal: botSignals.signal })
      .from(botSignals)
      .where(inArray(botSignals.candle, [...new Set(candles)]));
    const found = new Map<number, Signal>();
    for (const row of rows) {
      const { interval = feed.interval, ...signal } = row.signal as StoredSignal;
      if (interval === feed.interval) found.set(row.candle, signal);
    }
    return candles.map((candle) => found.get(candle));
  });

  return {
    /** Returns a candle's signal; undefined if the feed has moved on and no longer has the candle. */
    async compute(candle: Candle): Promise<Signal | undefined> {
      if (last?.candle.time === candle.time) return last;
      const isNext = strategy && last && last.candle.time + feed.interval === candle.time;
      const signal = isNext ? strategy?.next(candle) : await recompute(candle);
      last = signal;
      return signal;
    },

    /** Stores a signal for the processes that run the bots. */
    async store(signal: Signal): Promise<void> {
      const values = { signal: { ...signal, interval: feed.interval }, createdAt: new Date(clock()) };
      const isOfAnotherLength = ne(sql`(${botSignals.signal} ->> 'interval')::float8`, feed.interval);
      await db
        .insert(botSignals)
        .values({ candle: signal.candle.time, ...values })
        .onConflictDoUpdate({ target: botSignals.candle, set: values, setWhere: isOfAnotherLength });
    },

    /** Returns the stored signal of the candle that opened at `candle`. */
    find: async (candle: number): Promise<Signal | undefined> => (last?.candle.time === candle ? last : find(candle)),
  };
}
