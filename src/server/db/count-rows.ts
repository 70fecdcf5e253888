import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Db } from './open.ts';

/** Rows that are counted one by one. */
const MAX_COUNTED = 100_000;

/** Returns how many rows of a table match: up to 100,000 exactly, and beyond as the planner estimates it. */
export async function countRows(db: Db, table: PgTable, where?: SQL): Promise<number> {
  const matching = () => db.select({ one: sql`1` }).from(table).where(where);
  const counted = await readNumber(db, sql`select count(*) from ${matching().limit(MAX_COUNTED)} as found`);
  if (counted < MAX_COUNTED) return counted;
  const { rows } = (await db.execute(sql`explain (format json) ${matching()}`)) as {
    rows: { 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }[];
  };
  return Math.max(counted, rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0);
}

/** Returns the number in the only column of a query's first row; 0 for null. */
export async function readNumber(db: Db, query: SQL): Promise<number> {
  const { rows } = (await db.execute(query)) as { rows: Record<string, unknown>[] };
  const [value] = Object.values(rows[0] ?? {});
  return Number(value ?? 0);
}

/** Returns the mean of a column of numbers; of a large table that of its first 100,000 rows. */
export const meanOf = (db: Db, column: PgColumn): Promise<number> =>
  readNumber(db, sql`select avg(found.value) from (select ${column} as value from ${column.table} limit ${MAX_COUNTED}) as found`);
