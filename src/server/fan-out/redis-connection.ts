import { withDeadline } from '../with-deadline.ts';

/** Commands that wait for an answer; more are refused. */
const MAX_COMMANDS = 1_000;

interface Options {
  /** Time limit of connecting, ms. */
  limit: number;
  /** Called when the connection breaks. */
  lose: (error: Error) => void;
  /** Destroys the client. */
  signal?: AbortSignal;
}

/** Connects once: the callers connect again. */
export async function connectRedis(url: string, { limit, lose, signal }: Options) {
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
  signal?.addEventListener('abort', () => destroyRedis(client));
  try {
    // The client's own limit ends with the TCP connection, before Redis has answered.
    await withDeadline(limit, signal, () => client.connect());
  } catch (error) {
    destroyRedis(client);
    throw error;
  }
  return client;
}

export function destroyRedis(client: { isOpen: boolean; destroy(): void }): void {
  if (client.isOpen) client.destroy();
}
