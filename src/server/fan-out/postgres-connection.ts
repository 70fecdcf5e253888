import net from 'node:net';
import type { Client } from 'pg';

interface Options {
  /** What PostgreSQL lists the connection as. */
  name: string;
  /** Time limit of connecting and of one query, ms. */
  limit: number;
  /** Called when the connection breaks. */
  lose: (error: Error) => void;
  /** Ends the connection. */
  signal?: AbortSignal;
}

/** A connection. Destroying its socket ends it, even if it does not answer. */
export interface PostgresConnection {
  client: Client;
  socket: net.Socket;
}

/** Connects outside the pool, whose queries wait behind requests. */
export async function connectPostgres(url: string, { name, limit, lose, signal }: Options): Promise<PostgresConnection> {
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
