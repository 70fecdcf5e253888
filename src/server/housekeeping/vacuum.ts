import { sql } from 'drizzle-orm';
import type { Db } from '#server/db/open.ts';
import type { Work } from './delete-rows.ts';

/**
 * Reclaims deleted rows' space and updates the planner's statistics, table by table: the embedded database has no autovacuum, and runs no
 * other query meanwhile.
 */
export async function vacuum(db: Db, pause: Work['pause'] = async () => undefined): Promise<void> {
  const { rows } = (await db.execute(sql`select oid::regclass::text as name from pg_class where relkind = 'r'`)) as {
    rows: { name: string }[];
  };
  for (const { name } of rows) {
    await pause();
    await db.execute(sql.raw(`vacuum (analyze) ${name}`));
  }
}
