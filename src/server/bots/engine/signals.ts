import { inArray } from 'drizzle-orm';
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
    const found = new Map(rows.map(({ candle, signal }) => [candle, signal as Signal]));
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
      const values = { candle: signal.candle.time, signal, createdAt: new Date(clock()) };
      await db.insert(botSignals).values(values).onConflictDoNothing();
    },

    /** Returns the stored signal of the candle that opened at `candle`. */
    find: async (candle: number): Promise<Signal | undefined> => (last?.candle.time === candle ? last : find(candle)),
  };
}
