import type { PGlite } from '@electric-sql/pglite';
import * as z from 'zod/mini';
import { openDb } from '#server/db/open.ts';
import { createDeliveries } from '#server/modules/notifications/deliveries/service.ts';
import { createNotifications } from '#server/modules/notifications/service.ts';
import { createWebhookChannel, webhookSecret } from '#server/ports/channels/webhook.ts';

const orders = z.object({
  dataDir: z.string(),
  /** The clock's time, ms. */
  now: z.number(),
  /** The message to the database before which the process kills itself, from 1; 0 for none. */
  deadly: z.number(),
  /** Origins of receivers on this machine. */
  trusted: z.array(z.string()),
});

/** Sends what is due, like a server that was started at `now`. Prints its messages to the database. */
async function start({ dataDir, now, deadly, trusted }: z.infer<typeof orders>): Promise<void> {
  const { db, queue, close } = await openDb({ databaseUrl: undefined, dataDir });
  if (!('pglite' in queue)) throw new Error('The deliveries of this test are in an embedded database.');
  const pglite: PGlite = queue.pglite;
  const send = pglite.execProtocolRaw.bind(pglite);
  let messages = 0;
  pglite.execProtocolRaw = (...message) => {
    messages++;
    if (messages === deadly) process.kill(process.pid, 'SIGKILL');
    return send(...message);
  };
  const clock = () => now;
  const secretOf = () => webhookSecret(Buffer.alloc(32));
  const channels = [createWebhookChannel({ clock, publicUrl: 'http://localhost', secretOf, trusted })];
  const report = (error: unknown) => console.error(error);
  const deliveries = createDeliveries({ db, clock, notifications: createNotifications({ db, clock }), channels, report });
  await deliveries.start();
  await deliveries.settled();
  await deliveries.close();
  console.log(messages);
  await close();
}

await start(z.parse(orders, JSON.parse(process.argv[2] ?? '{}')));
