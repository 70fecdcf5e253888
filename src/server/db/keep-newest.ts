import { and, desc, eq, notInArray } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Tx } from './open.ts';

type Aging = PgTable & { id: PgColumn; userId: PgColumn; createdAt: PgColumn };

/** Deletes all but a user's newest rows. */
export async function keepNewest(tx: Tx, table: Aging, userId: string, keep: number): Promise<void> {
  const newest = tx
    .select({ id: table.id })
    .from(table as PgTable)
    .where(eq(table.userId, userId))
    .orderBy(desc(table.createdAt), desc(table.id))
    .limit(keep);
  await tx.delete(table).where(and(eq(table.userId, userId), notInArray(table.id, newest)));
}
