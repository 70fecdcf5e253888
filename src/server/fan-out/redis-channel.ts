import { withDeadline } from '../with-deadline.ts';
import type { Channel } from './fan-out.ts';
import { keepSender } from './keep-sender.ts';

const NAME = 'tidemark:changes';
/** Time limit of connecting and of sending, ms. */
const LIMIT = 5_000;
/** Commands that wait for an answer; more are refused. */
const MAX_COMMANDS = 1_000;

/** Sends and hears by Redis pub/sub, on a connection for each. */
export function redisChannel(url: string, limit = LIMIT): Channel {
  /** Connects once: the callers connect again. The client is destroyed when `signal` aborts. */
  async function connect(lose: (error: Error) => void, signal?: AbortSignal) {
    const { createClient } = await import('@redis/client');
    signal?.throwIfAborted();
    const client = createClient({
      url,
      disableOfflineQueue: true,
      maintNotifications: 'disabled',
      commandsQueueMaxLength: MAX_COMMANDS,
      socket: { connectTimeout: limit, reconnectStrategy: false },
    });
    client.on('error', lose);
    client.on('end', () => lose(new Error('Redis ended the connection')));
    signal?.addEventListener('abort', () => destroy(client));
    await client.connect();
    return client;
  }

  const sender = keepSender((lose) => connect(lose), destroy);
  return {
    send: (messages) =>
      sender.use((client) => withDeadline(limit, undefined, () => Promise.all(messages.map((message) => client.publish(NAME, message))))),

    async subscribe(hear, lose, signal) {
      const client = await connect(lose, signal);
      await client.subscribe(NAME, hear);
      return () => client.ping();
    },

    close: sender.close,
  };
}

function destroy(client: { isOpen: boolean; destroy(): void }): void {
  if (client.isOpen) client.destroy();
}
