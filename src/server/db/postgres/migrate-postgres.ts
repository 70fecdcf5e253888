import { setTimeout as pause } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { StartupError } from '#server/startup-error.ts';
import { withDeadline } from '#server/with-deadline.ts';
import { isLockTimeout, isUnanswered, refusalOf } from '../database-errors.ts';
import { demandFinishedMove } from '../unfinished-move.ts';
import { connectClient, demandUtf8, demandVersion } from './connect-client.ts';
import { createIndexesAhead } from './create-indexes-ahead.ts';

const SETTING = 'DATABASE_URL';
/** Any number works if every Tidemark server uses the same one. */
const MIGRATION_LOCK = 7301;
/** Interval at which a server asks whether another one has migrated, ms. */
const LOCK_INTERVAL = 100;
/** Tries of a migration or an index that waits for a table. Between them, requests that wait behind it go on. */
const TRIES = 60;
const RETRY_PAUSE = 1_000;
/** The longest wait for the connections to end, ms: a network that drops packets never says so. */
const END_LIMIT = 2_000;

interface Options {
  migrationsFolder: string;
  /** The longest wait for a lock, ms: requests queue behind a migration that waits for their table. */
  lockTimeout: number;
}

/**
 * Runs the migrations while servers of the previous version work. One server migrates while the others wait: the lock's transaction is open
 * meanwhile, because PgBouncer keeps no session locks.
 * @param connection settings of both connections, with limits: the migrations alone may take longer than `query_timeout`
 * @throws {StartupError} if PostgreSQL cannot be reached, does not answer, refuses or is too old, a table stays locked, or a new database is not
 *   in UTF-8
 */
export async function migratePostgres(connection: pg.ClientConfig, { migrationsFolder, lockTimeout }: Options): Promise<void> {
  const [holder, migrator] = [new pg.Client(connection), new pg.Client({ ...connection, query_timeout: 0 })];
  let isLost = false;
  for (const client of [holder, migrator])
    client.on('error', () => {
      isLost = true; // the query in progress fails
    });
  try {
    await Promise.all([holder, migrator].map((client) => connectClient(client, SETTING)));
    await demandVersion(migrator, SETTING);
    await holder.query('begin');
    await holder.query('set local idle_in_transaction_session_timeout = 0');
    await lock(holder);
    await demandFinishedMove(migrator);
    const isEmpty = await isNew(migrator);
    if (isEmpty) await demandUtf8(migrator, SETTING);
    // A large index takes longer than a request may.
    await migrator.query(`set lock_timeout = ${lockTimeout}; set statement_timeout = 0`);
    if (!isEmpty) await createIndexesAhead(migrator, { migrationsFolder, untilUnlocked });
    await untilUnlocked(() => migrate(drizzle(migrator), { migrationsFolder }));
    await holder.query('commit');
  } catch (error) {
    if (error instanceof StartupError) throw error;
    if (isUnanswered(error)) throw new StartupError('DATABASE_URL: PostgreSQL does not answer.');
    const reason = refusalOf(error) ?? (isLost ? 'the connection ended' : undefined);
    throw reason === undefined ? error : new StartupError(`DATABASE_URL: PostgreSQL refuses to migrate (${reason}).`);
  } finally {
    await withDeadline(END_LIMIT, undefined, () => end(holder, migrator)).catch(() => undefined);
  }
}

async function end(holder: pg.Client, migrator: pg.Client): Promise<void> {
  // PgBouncer keeps the connection for others.
  await migrator.query('reset lock_timeout; reset statement_timeout').catch(() => undefined);
  await Promise.all([holder.end(), migrator.end()]);
}

/** Takes the lock by asking again and again: a statement that waits for it would hold up `create index concurrently`. */
async function lock(holder: pg.Client): Promise<void> {
  for (let tries = 0; !(await isFree(holder)); tries++) {
    if (tries === 0) console.log('Another server is migrating the database. Waiting for it.');
    await pause(LOCK_INTERVAL);
  }
}

async function isFree(holder: pg.Client): Promise<boolean> {
  // A query with parameters keeps its snapshot until the next one, and `create index concurrently` waits for the end of snapshots.
  const { rows } = await holder.query(`select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as free`);
  return rows[0].free;
}

/** Returns whether no server has used the database. */
async function isNew(migrator: pg.Client): Promise<boolean> {
  const { rows } = await migrator.query(`select to_regclass('drizzle.__drizzle_migrations') is null as new`);
  return rows[0].new;
}

/** Repeats a migration or an index that could not lock a table in time. A migration is one transaction, so nothing of it has happened. */
async function untilUnlocked(run: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (tries === 1) console.log('A long transaction keeps a table from being migrated. Waiting for it.');
      if (tries === TRIES)
        throw new StartupError('DATABASE_URL: a long transaction keeps a table from being migrated. End it, then start again.');
    }
    await pause(RETRY_PAUSE);
  }
}
