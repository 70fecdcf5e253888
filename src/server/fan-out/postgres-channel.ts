import net from 'node:net';
import type { Client } from 'pg';
import type { Channel } from './fan-out.ts';
import { keepSender } from './keep-sender.ts';

const NAME = 'tidemark_changes';
const NOTIFY = `select pg_notify('${NAME}', message) from unnest($1::text[]) as sent(message)`;
/** Time limit of connecting and of one query, ms. */
const LIMIT = 5_000;

/**
 * Sends by NOTIFY and hears by LISTEN, on a connection for each: in the pool, messages would wait behind requests.
 * @param url PostgreSQL's own address: PgBouncer in transaction mode forwards no notifications
 */
export function postgresChannel(url: string, limit = LIMIT): Channel {
  /** Connects. Destroying the socket ends the connection, even one that does not answer. */
  async function connect(name: string, lose: (error: Error) => void, signal?: AbortSignal): Promise<Connection> {
    const { default: pg } = await import('pg');
    signal?.throwIfAborted();
    const socket = new net.Socket();
    signal?.addEventListener('abort', () => socket.destroy());
    const client = new pg.Client({
      connectionString: url,
      application_name: name,
      connectionTimeoutMillis: limit,
      query_timeout: limit,
      keepAlive: true,
      stream: () => socket,
    });
    client.on('error', lose);
    client.on('end', () => lose(new Error('PostgreSQL ended the connection')));
    await client.connect();
    return { client, socket };
  }

  const sender = keepSender(
    (lose) => connect('tidemark sender', lose),
    ({ socket }) => socket.destroy(),
  );
  return {
    send: (messages) => sender.use(({ client }) => client.query(NOTIFY, [messages])),

    async subscribe(hear, lose, signal) {
      const { client } = await connect('tidemark listener', lose, signal);
      client.on('notification', ({ payload = '' }) => hear(payload));
      await client.query(`listen ${NAME}`);
      return () => client.query('select 1');
    },

    close: sender.close,
  };
}

interface Connection {
  client: Client;
  socket: net.Socket;
}
