import { and, asc, eq, lte, sql } from 'drizzle-orm';
import type { Db } from '#server/db/open.ts';
import { coinDays } from '#server/db/schema/market.ts';

export type DayRow = typeof coinDays.$inferSelect;

/** Updates the day's (YYYY-MM-DD) candle of each coin with one price, in one statement. The first price is the open. */
export async function widenDay(db: Db, day: string, prices: ReadonlyMap<number, number>): Promise<void> {
  await db.execute(sql`
    insert into ${coinDays} (coin_id, day, open, high, low, close)
    select (seen->>0)::integer, ${day}::text, price, price, price, price
    from jsonb_array_elements(${JSON.stringify([...prices])}::jsonb) as seen, cast(seen->>1 as double precision) as price
    on conflict (coin_id, day) do update
    set high = greatest(coin_days.high, excluded.high), low = least(coin_days.low, excluded.low), close = excluded.close
    where coin_days.close <> excluded.close`);
}

/** Returns a coin's days, oldest first, without days after `today`, which a clock that was ahead leaves. */
export const listDays = (db: Db, coinId: number, today: string): Promise<DayRow[]> =>
  db
    .select()
    .from(coinDays)
    .where(and(eq(coinDays.coinId, coinId), lte(coinDays.day, today)))
    .orderBy(asc(coinDays.day));
