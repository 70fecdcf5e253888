import { readMigrationFiles } from 'drizzle-orm/migrator';
import type pg from 'pg';
import { isLockTimeout } from '../database-errors.ts';

const INDEX = /^(?:\s*--[^\n]*\n)*\s*create\s+(?:unique\s+)?index\s+if\s+not\s+exists\s+"?(\w+)"?/i;

interface Options {
  migrationsFolder: string;
  /** Repeats what could not lock a table in time. */
  untilUnlocked: (run: () => Promise<void>) => Promise<void>;
}

/**
 * Creates the indexes of migrations that are due without locking their tables, which a migration's transaction would do: it then finds them.
 * The database has some migrations already.
 * Migrations say `CREATE INDEX IF NOT EXISTS` for that (CONTRIBUTING.md).
 */
export async function createIndexesAhead(client: pg.Client, { migrationsFolder, untilUnlocked }: Options): Promise<void> {
  for (const statement of await dueStatements(client, migrationsFolder)) {
    const name = INDEX.exec(statement)?.[1];
    if (name !== undefined) await untilUnlocked(() => createIndex(client, name, statement));
  }
}

async function createIndex(client: pg.Client, name: string, statement: string): Promise<void> {
  await dropInvalid(client, name);
  try {
    await client.query(statement.replace(/if\s+not\s+exists/i, 'concurrently if not exists'));
  } catch (error) {
    if (isLockTimeout(error)) throw error;
    // The migration itself adds the table or the column, or the table has partitions. Then the migration creates the index, or says why not.
    await dropInvalid(client, name);
  }
}

/** Returns the statements of migrations that the database lacks. */
async function dueStatements(client: pg.Client, migrationsFolder: string): Promise<string[]> {
  const last = await client.query('select max(created_at) as at from drizzle.__drizzle_migrations');
  const due = readMigrationFiles({ migrationsFolder }).filter(({ folderMillis }) => folderMillis > Number(last.rows[0].at));
  return due.flatMap(({ sql }) => sql);
}

/** Drops what a creation that failed or was killed has left. */
async function dropInvalid(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query('select 1 from pg_index where indexrelid = to_regclass($1) and not indisvalid', [`"${name}"`]);
  if (rows.length > 0) await client.query(`drop index concurrently if exists "${name}"`);
}
