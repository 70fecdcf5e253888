import type { Channel } from './fan-out.ts';
import { keepSender } from './keep-sender.ts';
import { connectPostgres } from './postgres-connection.ts';

const NAME = 'tidemark_changes';
const NOTIFY = `select pg_notify('${NAME}', message) from unnest($1::text[]) as sent(message)`;
/** Time limit of connecting and of one query, ms. */
const LIMIT = 5_000;

/**
 * Sends by NOTIFY and hears by LISTEN, on a connection for each: in the pool, messages would wait behind requests.
 * @param url PostgreSQL's own address: PgBouncer in transaction mode forwards no notifications
 */
export function postgresChannel(url: string, limit = LIMIT): Channel {
  const sender = keepSender(
    (lose) => connectPostgres(url, { name: 'tidemark sender', limit, lose }),
    ({ socket }) => socket.destroy(),
  );
  return {
    send: (messages) => sender.use(({ client }) => client.query(NOTIFY, [messages])),

    async subscribe(hear, lose, signal) {
      const { client } = await connectPostgres(url, { name: 'tidemark listener', limit, lose, signal });
      client.on('notification', ({ payload = '' }) => hear(payload));
      await client.query(`listen ${NAME}`);
      return () => client.query('select 1');
    },

    close: sender.close,
  };
}
