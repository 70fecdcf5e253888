import fs from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import * as z from 'zod/mini';
import { readConfig } from '#server/config.ts';
import { openDb, type QueueSource } from '#server/db/open.ts';
import { bots } from '#server/db/schema/bots.ts';
import { openExchange } from '#server/ports/exchange/exchanges.ts';
import { readBundledCandles } from '#server/ports/market-data/bundled.ts';
import { createRig } from '../support/bots/bot-rig.ts';

/** Cycles of each bot: the last ones must find nothing to do. */
const ROUNDS = 3;

const orders = z.object({
  dataDir: z.string(),
  /** The market that live prices come from. */
  url: z.string(),
  feed: z.enum(['live', 'replay']),
  /** Time of the server's clock, ms. */
  now: z.number(),
  /** The message to the database before which the process kills itself, from 1; 0 for none. */
  deadly: z.number(),
});

/** Counts the messages to the database, and kills the process (kill -9) before one of them. */
function countMessages(queue: QueueSource, deadly: number): () => number {
  if (!('pglite' in queue)) throw new Error('The bots of this test trade in an embedded database.');
  const pglite: PGlite = queue.pglite;
  const send = pglite.execProtocolRaw.bind(pglite);
  let count = 0;
  pglite.execProtocolRaw = (...message) => {
    count++;
    if (count === deadly) process.kill(process.pid, 'SIGKILL');
    return send(...message);
  };
  return () => count;
}

/** Starts like a server whose setting of the paper feed has changed, and runs its bots. Prints the number of messages to the database. */
async function start({ dataDir, url, feed, now, deadly }: z.infer<typeof orders>): Promise<void> {
  const { db, queue, close } = await openDb({ databaseUrl: undefined, dataDir });
  const messages = countMessages(queue, deadly);
  const clock = () => now;
  const config = readConfig({ DATA_DIR: dataDir, EXCHANGE_BASE_URL: url, PAPER_FEED: feed });
  const { exchange } = await openExchange(config, { db, clock, mayChangeFeed: true });
  const { engine } = createRig({ db, candles: readBundledCandles().slice(0, 10), start: 10, clock, wrap: () => exchange });
  for (let round = 0; round < ROUNDS; round++)
    for (const { id } of await db.select({ id: bots.id }).from(bots)) await engine.runBotCycle(id);
  fs.writeSync(1, String(messages()));
  await exchange.close();
  await close();
}

await start(z.parse(orders, JSON.parse(process.argv[2] ?? '{}')));
