import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Db } from './open.ts';

/** Rows that are counted one by one. */
const MAX_COUNTED = 100_000;

interface Plan {
  'Node Type': string;
  'Plan Rows': number;
  Plans?: Plan[];
}

/**
 * Returns how many rows of a table match. Up to `most` rows are counted; beyond, and where only a scan of a larger table would find them, the
 * planner estimates them.
 */
export async function countRows(db: Db, table: PgTable, where?: SQL, most = MAX_COUNTED): Promise<number> {
  const rows = (condition?: SQL) => db.select({ one: sql`1` }).from(table).where(condition).limit(most);
  const plan = await planOf(db, rows(where).getSQL());
  const isLarge = isScan(plan) && (where ? await planOf(db, rows().getSQL()) : plan)['Plan Rows'] > most;
  if (isLarge) return plan['Plan Rows'];
  const counted = await readNumber(db, sql`select count(*) from ${rows(where)} as found`);
  return counted < most ? counted : Math.max(counted, plan['Plan Rows']);
}

/** Returns the plan below the limit of a query. */
async function planOf(db: Db, limited: SQL): Promise<Plan> {
  const { rows } = (await db.execute(sql`explain (format json) ${limited}`)) as unknown as { rows: { 'QUERY PLAN': [{ Plan: Plan }] }[] };
  return rows[0]?.['QUERY PLAN'][0].Plan.Plans?.[0] ?? { 'Node Type': 'Result', 'Plan Rows': 0 };
}

const isScan = ({ 'Node Type': type, Plans = [] }: Plan): boolean => type === 'Seq Scan' || Plans.some(isScan);

/** Returns the number in the only column of a query's first row; 0 for null. */
export async function readNumber(db: Db, query: SQL): Promise<number> {
  const { rows } = (await db.execute(query)) as { rows: Record<string, unknown>[] };
  const [value] = Object.values(rows[0] ?? {});
  return Number(value ?? 0);
}

/** Returns the mean of a column of numbers; of a large table that of its first 100,000 rows. */
export const meanOf = (db: Db, column: PgColumn): Promise<number> =>
  readNumber(db, sql`select avg(found.value) from (select ${column} as value from ${column.table} limit ${MAX_COUNTED}) as found`);
