import path from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import type { PgDatabase, PgQueryResultHKT, PgTransaction } from 'drizzle-orm/pg-core';
import type { ExtractTablesWithRelations } from 'drizzle-orm/relations';
import type { Pool } from 'pg';
import { lockDirectory } from './embedded/directory-lock.ts';
import { keepPlans } from './embedded/keep-plans.ts';
import { traceStatements } from './embedded/trace-statements.ts';
import { migrationsFolder } from './migrate-to.ts';
import type { DatabaseLimits } from './postgres/open-postgres.ts';

/** Empty, because the server does not use drizzle's relational queries. */
type Schema = Record<string, never>;

/** The database, embedded or PostgreSQL. */
export type Db = PgDatabase<PgQueryResultHKT, Schema>;
/** A transaction; also accepted as `Db`. Using `db` itself inside a transaction deadlocks. */
export type Tx = PgTransaction<PgQueryResultHKT, Schema, ExtractTablesWithRelations<Schema>>;

/** Connection for the job queue: the embedded database has one shared instance, PostgreSQL opens more connections. */
export type QueueSource = { pglite: PGlite } | { connection: { connectionString: string } };

/** How many connections the pool has, how many of them are idle, and how many queries wait for one. */
export type PoolCounts = Readonly<Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>>;

export interface OpenDb {
  db: Db;
  /** Undefined for the embedded database. */
  pool?: PoolCounts;
  queue: QueueSource;
  close: () => Promise<void>;
}

interface Options {
  databaseUrl: string | undefined;
  dataDir: string;
  /** Time limit of a statement at the PostgreSQL server, s. */
  databaseTimeout?: number;
  /** How many connections to PostgreSQL requests share. */
  databasePool?: number;
  databaseLimits?: DatabaseLimits;
}

/** Opens PostgreSQL at `databaseUrl`, or else the embedded database in `dataDir`, and runs the migrations. */
export async function openDb({ databaseUrl, dataDir, databaseTimeout, databasePool, databaseLimits }: Options): Promise<OpenDb> {
  if (!databaseUrl) return openEmbedded(dataDir);
  const { openPostgres } = await import('./postgres/open-postgres.ts');
  const { db, pool, connection, close } = await openPostgres(databaseUrl, {
    migrationsFolder,
    timeout: databaseTimeout,
    poolSize: databasePool,
    ...databaseLimits,
  });
  return { db: db as unknown as Db, pool, queue: { connection }, close };
}

async function openEmbedded(dataDir: string): Promise<OpenDb> {
  const unlock = await lockDirectory(dataDir);
  try {
    const [{ drizzle }, { migrate }, { openDurable }] = await Promise.all([
      import('drizzle-orm/pglite'),
      import('drizzle-orm/pglite/migrator'),
      import('./embedded/durable.ts'),
    ]);
    const pglite = await openDurable(path.join(dataDir, 'db'));
    traceStatements(pglite);
    const db = drizzle(pglite);
    await migrate(db, { migrationsFolder });
    keepPlans(pglite);
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
