import { and, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Db } from '#server/db/open.ts';

/** Rows that one statement deletes or checks: few, so that no request waits long behind it. */
export const BATCH = 1_000;

/** A cleanup in progress. */
export interface Work {
  db: Db;
  /** ms. */
  now: number;
  /** Call it before each statement: it lets others use the database, and rejects when the cleanup must end. */
  pause(): Promise<void>;
}

/** Deletes the rows whose `age` is below `end`, oldest first, in batches. The column needs an index. Skips rows in use. */
export async function deleteOld({ db, pause }: Work, age: PgColumn, end: Date | string, also?: SQL): Promise<void> {
  const table: PgTable = age.table;
  const old = db
    .select({ row: sql`ctid` })
    .from(table)
    .where(and(sql`${age} < ${end instanceof Date ? end.toISOString() : end}`, also))
    .orderBy(age)
    .limit(BATCH)
    .for('update', { skipLocked: true });
  const batch = db.delete(table).where(sql`ctid = any(array(${old}))`).returning({ one: sql`1` });
  do await pause();
  while ((await batch.execute()).length === BATCH);
}
