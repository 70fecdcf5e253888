import { getTableName, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Db } from '#server/db/open.ts';
import { ERASED_TABLES, type Whose } from './plan.ts';

/** Rows per statement: the embedded database blocks other queries meanwhile. */
const BATCH = 1000;

/** Number of deleted rows by table name. */
export type Deleted = Record<string, number>;

/** Deletes a user's rows in batches, except in the table `except`, and adds the counts to `deleted`. Safe to repeat. */
export async function deleteRows(db: Db, whose: Whose, deleted: Deleted, except?: PgTable): Promise<void> {
  for (const { table, rows } of ERASED_TABLES) {
    if (table === except) continue;
    const name = getTableName(table);
    deleted[name] = (deleted[name] ?? 0) + (await deleteBatches(db, sql`${table}`, rows(whose)));
  }
}

/** Deletes the jobs of a user's bots. The queue's table exists only after the first job. */
export async function deleteJobs(db: Db, userId: string): Promise<number> {
  const { rows } = (await db.execute(sql`select to_regclass('boss.job') is not null as used`)) as unknown as { rows: { used: boolean }[] };
  if (!rows[0]?.used) return 0;
  const ofUser = sql`data ->> 'botId' in (select id::text from bots where user_id = ${userId})`;
  const deleted = await db.execute(
    sql`with gone as (delete from boss.job where ${ofUser} returning 1) select count(*)::int as count from gone`,
  );
  return countOf(deleted);
}

async function deleteBatches(db: Db, table: SQL, rows: SQL): Promise<number> {
  for (let total = 0; ; ) {
    const batch = sql`select ctid from ${table} where ${rows} limit ${BATCH}`;
    const deleted = await db.execute(
      sql`with gone as (delete from ${table} where ctid = any(array(${batch})) returning 1) select count(*)::int as count from gone`,
    );
    const count = countOf(deleted);
    if (count === 0) return total;
    total += count;
  }
}

const countOf = (result: unknown): number => (result as { rows: { count: number }[] }).rows[0]?.count ?? 0;
