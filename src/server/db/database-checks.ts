import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { Check } from '../lifecycle/readiness.ts';
import { migrationsFolder } from './migrate-to.ts';
import type { Db } from './open.ts';

/** Returns the checks that the database answers, and that it has every migration of this build. */
export function databaseChecks(db: Db): Check[] {
  let isMigrated = false;

  async function findMigrations(): Promise<boolean> {
    if (isMigrated) return true;
    const newest = Math.max(...readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => folderMillis));
    const [row] = await db
      .select({ done: sql<boolean>`coalesce(max(created_at) >= ${newest}, false)` })
      .from(sql`drizzle.__drizzle_migrations`);
    isMigrated = row?.done === true;
    return isMigrated;
  }

  return [
    { name: 'database', run: () => db.execute(sql`select 1`) },
    { name: 'migrations', run: findMigrations },
  ];
}
