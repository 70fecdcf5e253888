import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PGlite } from '@electric-sql/pglite';
import type { PgDatabase, PgQueryResultHKT, PgTransaction } from 'drizzle-orm/pg-core';
import type { ExtractTablesWithRelations } from 'drizzle-orm/relations';
import { StartupError } from '../startup-error.ts';
import { lockDirectory } from './directory-lock.ts';

/** Empty, because the server does not use drizzle's relational queries. */
type Schema = Record<string, never>;

/** The database, embedded or PostgreSQL. */
export type Db = PgDatabase<PgQueryResultHKT, Schema>;
/** A transaction; also accepted as `Db`. Using `db` itself inside a transaction deadlocks. */
export type Tx = PgTransaction<PgQueryResultHKT, Schema, ExtractTablesWithRelations<Schema>>;

/** Connection for the job queue: the embedded database has one shared instance, PostgreSQL opens more connections. */
export type QueueSource = { pglite: PGlite } | { databaseUrl: string };

export interface OpenDb {
  db: Db;
  queue: QueueSource;
  close: () => Promise<void>;
}

/** Beside this file in the sources, and beside the bundle in dist/server. */
const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));

/** Any number works if every Tidemark server uses the same one. */
const MIGRATION_LOCK = 7301;

/** Opens PostgreSQL at `databaseUrl`, or else the embedded database in `dataDir`, and runs the migrations. */
export function openDb(options: { databaseUrl: string | undefined; dataDir: string }): Promise<OpenDb> {
  return options.databaseUrl ? openPostgres(options.databaseUrl) : openEmbedded(options.dataDir);
}

async function openEmbedded(dataDir: string): Promise<OpenDb> {
  const unlock = await lockDirectory(dataDir);
  try {
    const [{ drizzle }, { migrate }, { openDurable }] = await Promise.all([
      import('drizzle-orm/pglite'),
      import('drizzle-orm/pglite/migrator'),
      import('./durable.ts'),
    ]);
    const pglite = await openDurable(path.join(dataDir, 'db'));
    const db = drizzle(pglite);
    await migrate(db, { migrationsFolder });
    return {
      db: db as unknown as Db,
      queue: { pglite },
      close: async () => {
        await pglite.close();
        await unlock();
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}

async function openPostgres(databaseUrl: string): Promise<OpenDb> {
  const [{ default: pg }, { drizzle }, { migrate }] = await Promise.all([
    import('pg'),
    import('drizzle-orm/node-postgres'),
    import('drizzle-orm/node-postgres/migrator'),
  ]);
  // One server migrates while the others wait. PostgreSQL releases the lock with its connection.
  const migrator = new pg.Client({ connectionString: databaseUrl });
  await migrator.connect().catch((error: NodeJS.ErrnoException) => {
    throw new StartupError(`DATABASE_URL: cannot connect to PostgreSQL (${error.code ?? error.message}).`);
  });
  try {
    await migrator.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await migrate(drizzle(migrator), { migrationsFolder });
  } finally {
    await migrator.end();
  }
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  // The pool replaces a broken idle connection; without a listener the error would end the process.
  pool.on('error', () => undefined);
  return { db: drizzle(pool) as unknown as Db, queue: { databaseUrl }, close: () => pool.end() };
}
