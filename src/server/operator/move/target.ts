import { createHash } from 'node:crypto';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import * as z from 'zod/mini';
import { migrateLike } from '#server/db/migrate-to.ts';
import { connectClient, demandUtf8, demandVersion } from '#server/db/postgres/connect-client.ts';
import { MOVE_SCHEMA } from '#server/db/unfinished-move.ts';
import { postgresUrl } from '#server/settings/urls.ts';
import { StartupError } from '#server/startup-error.ts';
import { type Batch, type Checksum, emptyTables, insertRows, type Query, type Table, TEXT_FORMS } from '../backup/tables.ts';

const SETTING = '--to';
const CONNECT_TIMEOUT = 10_000;
/** The longest statement is a checksum, which reads a whole table, ms. */
const STATEMENT_TIMEOUT = 3_600_000;

/** Tables, views and sequences of anybody but PostgreSQL and its extensions. */
const OTHERS = `
  select quote_ident(nspname) || '.' || quote_ident(relname) as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where relkind in ('r', 'p', 'v', 'm', 'S', 'f') and nspname !~ '^(pg_|information_schema$)'
    and not exists (select 1 from pg_depend where objid = pg_class.oid and deptype = 'e') limit 1`;

/** PostgreSQL, where a schema of its own records how far the move is. */
export interface Target {
  query: Query;
  /** Throws `StartupError` for a database with data that no interrupted move has left there. */
  demandEmpty(): Promise<void>;
  /** Migrates a new database, or finds what an interrupted move of the same data has done. Returns the last keys by table. */
  prepare(source: { migrations: string[]; tables: readonly Table[]; identity: string }): Promise<Map<string, string[]>>;
  /** Stores a batch and its last key in one transaction. */
  store(table: Table, batch: Batch): Promise<void>;
  /** Deletes the records of the move: from then on, a server may use the database. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

/** Identifies the data of a source. */
export const identify = (migrations: readonly string[], sums: ReadonlyMap<string, Checksum>): string =>
  createHash('sha256')
    .update(JSON.stringify([migrations, ...sums]))
    .digest('hex');

function readAddress(url: string): string {
  const parsed = z.safeParse(postgresUrl, url);
  if (!parsed.success) throw new StartupError(`--to: ${parsed.error.issues[0]?.message}.`);
  return parsed.data;
}

/** Connects to PostgreSQL. Throws `StartupError` without the password in it. */
export async function openTarget(url: string): Promise<Target> {
  const client = new pg.Client({
    connectionString: readAddress(url),
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    query_timeout: STATEMENT_TIMEOUT,
    keepAlive: true,
  });
  client.on('error', () => undefined); // the query in progress fails
  await connectClient(client, SETTING);
  try {
    await demandVersion(client, SETTING);
    await demandUtf8(client, SETTING);
  } catch (error) {
    await client.end();
    throw error;
  }
  await client.query(`set statement_timeout = ${STATEMENT_TIMEOUT}; ${TEXT_FORMS}`);
  const query: Query = async (text, values) => (await client.query(text, values && [...values])).rows;

  async function inTransaction(work: () => Promise<void>): Promise<void> {
    await client.query('begin');
    try {
      await work();
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    }
  }

  async function hasBegun(): Promise<boolean> {
    const [found] = await query<{ begun: boolean }>(`select to_regclass('${MOVE_SCHEMA}.source') is not null as begun`);
    return found?.begun ?? false;
  }

  async function demandEmpty(): Promise<void> {
    if (await hasBegun()) return;
    const [other] = await query<{ name: string }>(OTHERS);
    if (other) throw new StartupError(`--to: the database has data already (${other.name}). Create a new, empty one.`);
  }

  const begin = (identity: string) =>
    inTransaction(async () => {
      await demandEmpty();
      await client.query(`create schema ${MOVE_SCHEMA}`);
      await client.query(`create table ${MOVE_SCHEMA}.source (identity text not null)`);
      await client.query(`create table ${MOVE_SCHEMA}.progress (name text primary key, last json not null)`);
      await query(`insert into ${MOVE_SCHEMA}.source values ($1)`, [identity]);
    });

  return {
    query,
    demandEmpty,
    async prepare({ migrations, tables, identity }) {
      if (!(await hasBegun())) await begin(identity);
      const [source] = await query<{ identity: string }>(`select identity from ${MOVE_SCHEMA}.source`);
      if (source?.identity !== identity)
        throw new StartupError(
          '--to: the database holds an unfinished move of other data, or the data has changed since. Create a new, empty one.',
        );
      await migrateLike(migrations, (folder) => migrate(drizzle(client), { migrationsFolder: folder }));
      const rows = await query<{ name: string; last: string[] }>(`select name, last from ${MOVE_SCHEMA}.progress`);
      if (rows.length === 0) await emptyTables(query, tables);
      return new Map(rows.map(({ name, last }) => [name, last]));
    },
    store: (table, { lines, last }) =>
      inTransaction(async () => {
        await insertRows(query, table, lines);
        await query(
          `insert into ${MOVE_SCHEMA}.progress values ($1, $2::text::json) on conflict (name) do update set last = excluded.last`,
          [table.name, JSON.stringify(last)],
        );
      }),
    async finish() {
      await client.query('analyze');
      await client.query(`drop schema ${MOVE_SCHEMA} cascade`);
    },
    close: () => client.end(),
  };
}
