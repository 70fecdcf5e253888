import { and, desc, eq, lte, sql } from 'drizzle-orm';
import type { NoEntry } from '#domain/bots/no-entry.ts';
import type { Db } from '#server/db/open.ts';
import { botSignals } from '#server/db/schema/bots.ts';
import type { CandleFeed } from '#server/ports/exchange/exchange.ts';

/** The strategy's result at a candle's close. */
export interface FoundSignal {
  /** Opening time of the candle, ms of the feed's time. */
  candle: number;
  /** When the signal was stored, before any bot acted on it. */
  createdAt: Date;
  /** USD. */
  close: number;
  hasEntry: boolean;
  noEntry: NoEntry | null;
}

/** Returns the signals of a feed's latest candles, newest first. */
export const findLatestSignals = (
  db: Db,
  { interval, now }: Pick<CandleFeed, 'interval' | 'now'>,
  count: number,
): Promise<FoundSignal[]> => {
  const { candle, signal, createdAt } = botSignals;
  return db
    .select({
      candle,
      createdAt,
      close: sql<number>`(${signal} -> 'candle' ->> 'close')::float8`,
      hasEntry: sql<boolean>`coalesce(${signal} -> 'entry', 'null') <> 'null'`,
      noEntry: sql<NoEntry | null>`${signal} -> 'noEntry'`,
    })
    .from(botSignals)
    .where(and(eq(sql`coalesce((${signal} ->> 'interval')::float8, ${interval}::float8)`, interval), lte(candle, now())))
    .orderBy(desc(candle))
    .limit(count);
};
