import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PGlite } from '@electric-sql/pglite';
import type { PgDatabase, PgQueryResultHKT, PgTransaction } from 'drizzle-orm/pg-core';
import type { ExtractTablesWithRelations } from 'drizzle-orm/relations';
import { StartupError } from '../startup-error.ts';
import { lockDirectory } from './directory-lock.ts';

/** Queries name their tables themselves: drizzle's relational queries are not used. */
type Schema = Record<string, never>;

/** The database, embedded or not. */
export type Db = PgDatabase<PgQueryResultHKT, Schema>;
/** A transaction of it; also fits wherever a `Db` is asked for. Inside one, `db` itself would wait for itself for ever. */
export type Tx = PgTransaction<PgQueryResultHKT, Schema, ExtractTablesWithRelations<Schema>>;

/** What a queue of jobs opens beside `db`: the embedded database has one opener, PostgreSQL any number. */
export type QueueSource = { pglite: PGlite } | { databaseUrl: string };

export interface OpenDb {
  db: Db;
  queue: QueueSource;
  close: () => Promise<void>;
}

/** Beside this file in the sources, beside the bundle in dist/server. */
const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));

/** Any number will do, as long as every Tidemark server asks for the same one. */
const MIGRATION_LOCK = 7301;

/** Opens PostgreSQL when there is a `databaseUrl`, else the embedded database in `dataDir`, and brings its tables up to date. */
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
  // One server migrates while the others wait; the lock ends with its connection, however that ends.
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
  // A connection that breaks while idle is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => undefined);
  return { db: drizzle(pool) as unknown as Db, queue: { databaseUrl }, close: () => pool.end() };
}
