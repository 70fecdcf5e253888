import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { Check } from '../lifecycle/readiness.ts';
import { migrationsFolder } from './migrate-to.ts';
import type { Db } from './open.ts';
import { leases } from './schema/operations.ts';

/** Returns the checks that the database answers and takes changes, and that it has every migration of this build. */
export function databaseChecks(db: Db): Check[] {
  let newest: number | undefined;

  /** Asks each time: an operator may restore an older database while the process runs. */
  async function findMigrations(): Promise<boolean> {
    newest ??= Math.max(...readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => folderMillis));
    const [row] = await db
      .select({ done: sql<boolean>`coalesce(max(created_at) >= ${newest}, false)` })
      .from(sql`drizzle.__drizzle_migrations`);
    return row?.done === true;
  }

  return [
    // A lock fails where the server only reads, and the pool then replaces the connection.
    { name: 'database', run: () => db.select().from(leases).where(sql`false`).for('update') },
    { name: 'migrations', run: findMigrations },
  ];
}
