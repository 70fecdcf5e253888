import { setTimeout as pause } from 'node:timers/promises';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { isConflict, isConnectionError, isConnectionLost, isUnanswered, isUselessPlan, NoConnectionError } from '../database-errors.ts';
import { createStatementNames } from '../statement-names.ts';
import { Connection, textOf, traced } from './connection.ts';
import { migratePostgres } from './migrate-postgres.ts';

/** The longest wait for a new or a free connection, ms. */
const CONNECT_TIMEOUT = 5_000;
/** How long a request tries to connect while PostgreSQL refuses, as in a restart or without a free connection, ms. */
const RECONNECT_TIME = 3_000;
const FIRST_PAUSE = 50;
/** The longest wait for a lock, ms: a request that waits longer is answered with 503. */
const LOCK_TIMEOUT = 10_000;
/** Time limit of a statement, s. */
const STATEMENT_TIMEOUT = 20;
/** How long after this limit an answer may come at most, ms, before its connection counts as broken. */
const ANSWER_TIMEOUT = 2_000;
/** PostgreSQL ends a transaction whose process sends nothing for this time, ms, so that its locks go. */
const IDLE_TRANSACTION_TIMEOUT = 30_000;
/** Interval of the probes that find an idle connection broken, ms. */
const KEEP_ALIVE_DELAY = 10_000;

/**
 * A pool for which a short absence of PostgreSQL is no error: it connects again, and reads again what did not arrive. After a query
 * without an answer, it replaces connections that were idle since before: the network may have dropped them too.
 */
class Pool extends pg.Pool {
  /** When the last query without an answer began, and when each connection was last known to work. */
  private lostAt = Number.NEGATIVE_INFINITY;
  private readonly workedAt = new WeakMap<pg.PoolClient, number>();
  /** Names of the statements of its connections. */
  readonly names = createStatementNames();

  constructor(config: pg.PoolConfig) {
    super(config);
    const works = (client: pg.PoolClient) => void this.workedAt.set(client, performance.now());
    this.on('connect', works);
    this.on('release', (error, client) => {
      if (!error) works(client);
    });
  }

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
        return await this.connectTrusted();
      } catch (error) {
        if (this.ending || performance.now() + wait > end) throw new NoConnectionError(error);
      }
      await pause(wait * (0.5 + Math.random()));
    }
  }

  private async connectTrusted(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await super.connect();
      if ((this.workedAt.get(client) ?? 0) >= this.lostAt) return client;
      client.release(true);
    }
  }

  /** Notes a query that began at `from` and may have had no answer. */
  noteLoss(error: unknown, from: number): void {
    if (isUnanswered(error)) this.lostAt = Math.max(this.lostAt, from);
  }

  // biome-ignore lint/suspicious/noExplicitAny: `query` has many signatures, and this hands all of them on.
  override query(...args: any[]): any {
    // biome-ignore lint/suspicious/noExplicitAny: see above
    const run = () => traced(args, () => (super.query as any)(...args));
    const from = performance.now();
    const answer = run();
    if (!(answer instanceof Promise)) return answer;
    return answer.catch((error) => {
      this.noteLoss(error, from);
      if (isUselessPlan(error)) {
        this.names.end();
        return run();
      }
      if (isRead(args[0]) && isConnectionError(error)) return run();
      throw error;
    });
  }
}

const isRead = (query: { text?: string } | string): boolean => /^\s*select\b/i.test(textOf(query));

/** Limits of PostgreSQL that tests shorten: the longest wait for a lock, and the longest silence in a transaction, ms. */
export interface DatabaseLimits {
  lockTimeout?: number;
  idleTimeout?: number;
}

interface Options extends DatabaseLimits {
  migrationsFolder: string;
  timeout?: number | undefined;
  poolSize?: number | undefined;
}

/** Runs the migrations, then opens a pool. `connection` is for pools of others. Throws StartupError if PostgreSQL cannot be reached. */
export async function openPostgres(
  databaseUrl: string,
  { migrationsFolder, timeout = STATEMENT_TIMEOUT, poolSize, lockTimeout = LOCK_TIMEOUT, idleTimeout }: Options,
) {
  const connection = {
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    query_timeout: timeout * 1000 + Math.min(timeout * 250, ANSWER_TIMEOUT), // else PostgreSQL would have ended the statement
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY,
  };
  await migratePostgres(connection, { migrationsFolder, lockTimeout });
  const pool = new Pool({
    ...connection,
    Client: Connection,
    pipeline: true, // statements of a transaction need not wait for each other: see `together`
    max: poolSize,
    onConnect: async (client) => {
      // PgBouncer refuses settings that come with the connection. A SET may stay on its connection: all have the same.
      await client.query(sessionSettings(timeout, lockTimeout, idleTimeout));
      if (await isDirect(client)) (client as Connection).names = pool.names;
    },
  });
  // The pool replaces broken connections. An error without a listener would end the process, also while one is in use.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = drizzle(pool);
  db.transaction = transactionsOn(pool);
  return { db, pool, connection, close: () => pool.end() };
}

/**
 * Returns whether a connection leads to PostgreSQL itself. A pooler, as PgBouncer, gives numbers of its own to its connections,
 * and may run each statement on another connection of PostgreSQL, which does not know the names of statements.
 */
async function isDirect(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query('select pg_backend_pid() as pid');
  return rows[0]?.pid === (client as unknown as { processID: number }).processID;
}

/** Returns the settings of each connection. Statements are short: to compile one (`jit`) takes PostgreSQL far longer than to run it. */
export const sessionSettings = (timeout: number, lockTimeout: number, idleTimeout = IDLE_TRANSACTION_TIMEOUT): string => `
  set jit = off;
  set statement_timeout = ${timeout * 1000};
  set lock_timeout = ${lockTimeout};
  set idle_in_transaction_session_timeout = ${idleTimeout}`;

/**
 * Runs a transaction on a connection of the pool, and once more if PostgreSQL ended it because of another one or refused a plan
 * that it had kept, or if the connection broke before the commit. The one of drizzle never gives the connection back if `begin` fails.
 */
function transactionsOn(pool: Pool): NodePgDatabase['transaction'] {
  const run: NodePgDatabase['transaction'] = async (work, config) => {
    const client = await pool.connect();
    const from = performance.now();
    let isUseless = false;
    try {
      return await drizzle(client).transaction(work, config);
    } catch (error) {
      isUseless = isConnectionLost(error);
      pool.noteLoss(error, from);
      throw error;
    } finally {
      client.release(isUseless);
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
      if (!isConflict(error) && !isUselessPlan(error) && (isCommitting || !isConnectionLost(error))) throw error;
      await pause(Math.random() * 50); // the other transaction may run again too
      return run(work, config);
    }
  };
}
