import { withDeadline } from '../with-deadline.ts';
import type { Channel } from './fan-out.ts';

const NAME = 'tidemark:changes';
/** Time limit of connecting, and of sending by default, ms. */
const LIMIT = 5_000;
/** Commands that wait for an answer; more are refused. */
const MAX_COMMANDS = 1_000;

/** Sends and hears by Redis pub/sub, on a connection for each. `limit`: time that sending may take, ms. */
export function redisChannel(url: string, limit = LIMIT): Channel {
  let sender: Promise<Client> | undefined;

  async function drop(lost: Promise<Client>): Promise<void> {
    if (sender === lost) sender = undefined;
    await lost.then(destroy, () => undefined);
  }

  return {
    async send(messages) {
      const used: Promise<Client> = sender ?? connect(url, () => void drop(used));
      sender = used;
      try {
        const client = await used;
        const { signal } = new AbortController();
        await withDeadline(limit, signal, () => Promise.all(messages.map((message) => client.publish(NAME, message))));
      } catch (error) {
        await drop(used);
        throw error;
      }
    },

    async subscribe(hear, lose, signal) {
      const client = await connect(url, lose, signal);
      await client.subscribe(NAME, hear);
      return () => client.ping();
    },

    async close() {
      if (sender) await drop(sender);
    },
  };
}

type Client = Awaited<ReturnType<typeof connect>>;

/** Connects once: the callers connect again. The client is destroyed when `signal` aborts. */
async function connect(url: string, lose: (error: Error) => void, signal?: AbortSignal) {
  const { createClient } = await import('@redis/client');
  signal?.throwIfAborted();
  const client = createClient({
    url,
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    commandsQueueMaxLength: MAX_COMMANDS,
    socket: { connectTimeout: LIMIT, reconnectStrategy: false },
  });
  client.on('error', lose);
  client.on('end', () => lose(new Error('Redis ended the connection')));
  signal?.addEventListener('abort', () => destroy(client));
  await client.connect();
  return client;
}

function destroy(client: Pick<Client, 'isOpen' | 'destroy'>): void {
  if (client.isOpen) client.destroy();
}
