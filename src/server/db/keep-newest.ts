import { sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Tx } from './open.ts';

type Aging = PgTable & { id: PgColumn; userId: PgColumn; createdAt: PgColumn };

/** Deletes all but the newest rows of each of these users. */
export async function keepNewest(tx: Tx, table: Aging, userIds: readonly string[], keep: number): Promise<void> {
  const older = sql`select ${table.id} from ${table} where ${table.userId} = owners.id
    order by ${table.createdAt} desc, ${table.id} desc offset ${keep}`;
  await tx.delete(table).where(
    sql`(${table.userId}, ${table.id}) in (select owners.id, older.id
      from unnest(${sql.param([...new Set(userIds)])}::uuid[]) as owners(id) cross join lateral (${older}) as older)`,
  );
}
