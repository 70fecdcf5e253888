import net from 'node:net';
import { sql } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import type { Channel } from './fan-out.ts';

const NAME = 'tidemark_changes';
/** Time limit of connecting and of one query, ms. */
const LIMIT = 5_000;

interface Options {
  db: Db;
  /** PostgreSQL's own address: PgBouncer in transaction mode forwards no notifications. */
  listenUrl: string;
}

/** Sends by NOTIFY over the pool, and hears by LISTEN on a connection of its own. */
export const postgresChannel = ({ db, listenUrl }: Options): Channel => ({
  async send(messages) {
    await db.execute(sql`select pg_notify(${NAME}, message) from unnest(${sql.param(messages)}::text[]) as sent(message)`);
  },

  async subscribe(hear, lose, signal) {
    const { default: pg } = await import('pg');
    signal.throwIfAborted();
    const socket = new net.Socket();
    // A goodbye would wait for a connection that does not answer.
    signal.addEventListener('abort', () => socket.destroy());
    const client = new pg.Client({
      connectionString: listenUrl,
      stream: () => socket,
      connectionTimeoutMillis: LIMIT,
      query_timeout: LIMIT,
      keepAlive: true,
      application_name: 'tidemark listener',
    });
    client.on('error', lose);
    client.on('end', () => lose(new Error('PostgreSQL ended the connection')));
    client.on('notification', ({ payload = '' }) => hear(payload));
    await client.connect();
    await client.query(`listen ${NAME}`);
    return () => client.query('select 1');
  },

  close: async () => undefined,
});
