import { asc, eq, sql } from 'drizzle-orm';
import type { Db } from '#server/db/open.ts';
import { coinDays } from '#server/db/schema/market.ts';

export type DayRow = typeof coinDays.$inferSelect;

/** Widens a day (YYYY-MM-DD) by one price of each coin, in one statement. A coin's first price of the day is its open. */
export async function widenDay(db: Db, day: string, prices: ReadonlyMap<number, number>): Promise<void> {
  await db.execute(sql`
    insert into ${coinDays} (coin_id, day, open, high, low, close)
    select (seen->>0)::integer, ${day}::text, price, price, price, price
    from jsonb_array_elements(${JSON.stringify([...prices])}::jsonb) as seen, cast(seen->>1 as double precision) as price
    on conflict (coin_id, day) do update
    set high = greatest(coin_days.high, excluded.high), low = least(coin_days.low, excluded.low), close = excluded.close
    where coin_days.close <> excluded.close`);
}

/** Oldest first. */
export const listDays = (db: Db, coinId: number): Promise<DayRow[]> =>
  db.select().from(coinDays).where(eq(coinDays.coinId, coinId)).orderBy(asc(coinDays.day));
