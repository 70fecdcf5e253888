import { eq, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { CLOCK_ROLLBACK_LIMIT, SECOND } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { marketAnswers } from '#server/db/schema/market.ts';
import { withDeadline } from '#server/with-deadline.ts';

const KEY = 'demo BTC';
/** Time limit of reading or fixing a tick, ms. */
const LIMIT = 3 * SECOND;
const MAX_AGES = 10;

const price = z.nullable(z.number().check(z.positive()));
const fixedPrices = z.record(z.string(), price);

/** What all processes show from `tick` on: prices by age (ms) before it; none while the feed has no prices. */
export interface FixedTick {
  /** ms UTC, on the database's clock. */
  tick: number;
  prices: ReadonlyMap<number, number>;
  /** Until the next tick, ms. */
  left: number;
}

export interface SharedTicks {
  /**
   * Returns the current tick and its prices, which the first process that reaches the tick takes from its own feed.
   * @param pricesAt returns the prices by age at a tick; `now` is the current time on the same clock
   */
  current(pricesAt: (at: { tick: number; now: number }) => ReadonlyMap<number, number>): Promise<FixedTick>;
}

/** Creates the ticks of the demo market that all processes on one database share. No process leads: a tick is stored once, and never changes. */
export function createSharedTicks({ db, tickMs }: { db: Db; tickMs: number }): SharedTicks {
  async function read() {
    const [row] = await db
      .select({
        now: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::float8`,
        version: marketAnswers.version,
        value: marketAnswers.value,
      })
      .from(sql`(select 1) as one`)
      .leftJoin(marketAnswers, eq(marketAnswers.key, KEY));
    if (!row) throw new Error('The database has no time.');
    return row;
  }

  /** Stores a tick unless another process has stored it, or a later one. */
  async function fix(tick: number, prices: ReadonlyMap<number, number>): Promise<void> {
    const value = JSON.stringify(Object.fromEntries([...prices].slice(0, MAX_AGES)));
    const goodUntil = sql`clock_timestamp() + ${tickMs}::float8 * interval '1 millisecond'`;
    await db
      .insert(marketAnswers)
      .values({ key: KEY, value, version: tick, goodUntil })
      .onConflictDoUpdate({
        target: marketAnswers.key,
        set: { value, version: tick, goodUntil },
        setWhere: sql`${marketAnswers.version} < ${tick} or ${marketAnswers.version} > ${tick + CLOCK_ROLLBACK_LIMIT}`,
      });
  }

  return {
    current: (pricesAt) =>
      withDeadline(LIMIT, undefined, async () => {
        let row = await read();
        const tick = Math.floor(row.now / tickMs) * tickMs;
        const isDue = row.version === null || row.version < tick || row.version > tick + CLOCK_ROLLBACK_LIMIT;
        if (isDue) {
          await fix(tick, pricesAt({ tick, now: row.now }));
          row = await read();
        }
        const fixed = row.version ?? tick;
        return { tick: fixed, prices: pricesOf(row.value), left: Math.max(0, fixed + tickMs - row.now) };
      }),
  };
}

function pricesOf(value: string | null): Map<number, number> {
  const prices = z.parse(fixedPrices, JSON.parse(value ?? '{}'));
  return new Map(Object.entries(prices).flatMap(([age, known]) => (known === null ? [] : [[Number(age), known] as const])));
}
