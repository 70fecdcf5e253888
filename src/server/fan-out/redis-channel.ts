import { withDeadline } from '../with-deadline.ts';
import type { Channel } from './fan-out.ts';
import { keepSender } from './keep-sender.ts';
import { connectRedis, destroyRedis } from './redis-connection.ts';

const NAME = 'tidemark:changes';
/** Time limit of connecting and of sending, ms. */
const LIMIT = 5_000;

/** Sends and hears by Redis pub/sub, on a connection for each. */
export function redisChannel(url: string, limit = LIMIT): Channel {
  const sender = keepSender((lose) => connectRedis(url, { limit, lose }), destroyRedis);
  return {
    send: (messages) =>
      sender.use((client) => withDeadline(limit, undefined, () => Promise.all(messages.map((message) => client.publish(NAME, message))))),

    async subscribe(hear, lose, signal) {
      const client = await connectRedis(url, { limit, lose, signal });
      const { ErrorReply } = await import('@redis/client');
      await client.subscribe(NAME, hear);
      return () =>
        client.ping().catch((error: unknown) => {
          // A Redis that cannot save refuses PING, and still carries messages.
          if (!(error instanceof ErrorReply)) throw error;
        });
    },

    close: sender.close,
  };
}
