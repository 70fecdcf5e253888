import { setTimeout as pause } from 'node:timers/promises';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { StartupError } from '../startup-error.ts';
import { isConflict, isConnectionError, isConnectionLost, isUnanswered, NoConnectionError } from './database-errors.ts';
import { demandFinishedMove } from './unfinished-move.ts';

/** Any number works if every Tidemark server uses the same one. */
const MIGRATION_LOCK = 7301;
const MAX_CONNECTIONS = 10;
/** The longest wait for a new or a free connection, ms. */
const CONNECT_TIMEOUT = 5_000;
/** How long a request tries to connect while PostgreSQL refuses, as in a restart or without a free connection, ms. */
const RECONNECT_TIME = 3_000;
const FIRST_PAUSE = 50;
/** The longest wait for a lock, ms: a request that waits longer is answered with 503. */
const LOCK_TIMEOUT = 10_000;
/** Time limit of a statement, s. */
const STATEMENT_TIMEOUT = 20;
/** PostgreSQL ends a transaction whose process sends nothing for this time, ms, so that its locks go. */
const IDLE_TRANSACTION_TIMEOUT = 30_000;
/** Interval of the probes that find an idle connection broken, ms. */
const KEEP_ALIVE_DELAY = 10_000;

/** A connection that ends when a query gets no answer: the next query would wait behind it. */
class Connection extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: `query` has many signatures, and this hands all of them on.
  override query(...args: any[]): any {
    // biome-ignore lint/suspicious/noExplicitAny: see above
    const answer = (super.query as any)(...args);
    if (answer instanceof Promise) {
      answer.catch((error) => {
        if (isUnanswered(error)) this.end().catch(() => undefined);
      });
    }
    return answer;
  }
}

/** A pool for which a short absence of PostgreSQL is no error: it connects again, and reads again what did not arrive. */
class Pool extends pg.Pool {
  // biome-ignore lint/suspicious/noExplicitAny: with a callback, `connect` returns nothing
  override connect(callback?: any): any {
    const connected = this.connectAgain();
    if (!callback) return connected;
    connected.then(
      (client) => callback(undefined, client, client.release),
      (error) => callback(error, undefined, () => undefined),
    );
  }

  private async connectAgain(): Promise<pg.PoolClient> {
    const end = performance.now() + RECONNECT_TIME;
    for (let wait = FIRST_PAUSE; ; wait *= 2) {
      try {
        return await super.connect();
      } catch (error) {
        if (this.ending || performance.now() + wait > end) throw new NoConnectionError(error);
      }
      await pause(wait * (0.5 + Math.random()));
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: `query` has many signatures, and this hands all of them on.
  override query(...args: any[]): any {
    // biome-ignore lint/suspicious/noExplicitAny: see above
    const run = () => (super.query as any)(...args);
    const answer = run();
    if (!(answer instanceof Promise) || !isRead(args[0])) return answer;
    return answer.catch((error) => {
      if (isConnectionError(error)) return run();
      throw error;
    });
  }
}

const isRead = (query: { text?: string } | string): boolean => /^\s*select\b/i.test(typeof query === 'string' ? query : (query.text ?? ''));

interface Options {
  migrationsFolder: string;
  timeout?: number | undefined;
}

/** Runs the migrations, then opens a pool. `connection` is for pools of others. Throws StartupError if PostgreSQL cannot be reached. */
export async function openPostgres(databaseUrl: string, { migrationsFolder, timeout = STATEMENT_TIMEOUT }: Options) {
  await runMigrations(databaseUrl, migrationsFolder);
  const connection = {
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    query_timeout: timeout * 1250, // PostgreSQL would have ended the statement, so the connection is broken
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY,
  };
  const pool = new Pool({
    ...connection,
    Client: Connection,
    max: MAX_CONNECTIONS,
    // PgBouncer refuses settings that come with the connection. A SET may stay on its connection: all have the same.
    onConnect: async (client) => void (await client.query(sessionSettings(timeout))),
  });
  // The pool replaces broken connections. An error without a listener would end the process, also while one is in use.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = drizzle(pool);
  db.transaction = transactionsOn(pool);
  return { db, pool, connection, close: () => pool.end() };
}

const sessionSettings = (timeout: number) => `
  set statement_timeout = ${timeout * 1000};
  set lock_timeout = ${LOCK_TIMEOUT};
  set idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_TIMEOUT}`;

/** One server migrates while the others wait: the lock's transaction is open meanwhile, because PgBouncer keeps no session locks. */
async function runMigrations(connectionString: string, migrationsFolder: string): Promise<void> {
  const [holder, migrator] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })];
  for (const client of [holder, migrator]) client.on('error', () => undefined); // the query in progress fails
  try {
    await Promise.all([holder.connect(), migrator.connect()]).catch((error: NodeJS.ErrnoException) => {
      throw new StartupError(`DATABASE_URL: cannot connect to PostgreSQL (${error.code ?? error.message}).`);
    });
    await holder.query('begin');
    await holder.query('set local idle_in_transaction_session_timeout = 0');
    if (!(await isFree(holder))) {
      console.log('Another server is migrating the database. Waiting for it.');
      await holder.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    }
    await demandFinishedMove(holder);
    await migrate(drizzle(migrator), { migrationsFolder });
    await holder.query('commit');
  } finally {
    await Promise.all([holder.end(), migrator.end()]);
  }
}

async function isFree(holder: pg.Client): Promise<boolean> {
  const { rows } = await holder.query('select pg_try_advisory_xact_lock($1) as free', [MIGRATION_LOCK]);
  return rows[0].free;
}

/**
 * Runs a transaction on a connection of the pool, and once more if PostgreSQL ended it because of another one, or if the
 * connection broke before the commit. The one of drizzle never gives the connection back if `begin` fails.
 */
function transactionsOn(pool: pg.Pool): NodePgDatabase['transaction'] {
  const run: NodePgDatabase['transaction'] = async (work, config) => {
    const client = await pool.connect();
    try {
      return await drizzle(client).transaction(work, config);
    } finally {
      client.release();
    }
  };
  return async (work, config) => {
    let isCommitting = false;
    try {
      return await run(async (tx) => {
        const result = await work(tx);
        isCommitting = true;
        return result;
      }, config);
    } catch (error) {
      if (!isConflict(error) && (isCommitting || !isConnectionLost(error))) throw error;
      await pause(Math.random() * 50); // the other transaction may run again too
      return run(work, config);
    }
  };
}
