import fs from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import * as z from 'zod/mini';
import { MINUTE } from '#domain/clock.ts';
import { openDb } from '#server/db/open.ts';
import { createLeadership } from '#server/lifecycle/leadership.ts';
import { createAlertChecker } from '#server/modules/alerts/check/checker.ts';
import { createNotifications } from '#server/modules/notifications/service.ts';
import { BEGIN, COINS, drawPrices, STEP, steppedMarket } from './alert-prices.ts';

const orders = z.object({
  dataDir: z.string(),
  seed: z.number(),
  /** The first step whose prices it checks, and the one after the last. */
  from: z.number(),
  to: z.number(),
  /** The message to the database before which the process kills itself, from 1; 0 for none. */
  deadly: z.number(),
});

/** Checks alerts step by step, like a server that was started at `from`. Prints each step that it has begun, and its messages so far. */
async function start({ dataDir, seed, from, to, deadly }: z.infer<typeof orders>): Promise<void> {
  const { db, queue, close } = await openDb({ databaseUrl: undefined, dataDir });
  if (!('pglite' in queue)) throw new Error('The alerts of this test are in an embedded database.');
  const pglite: PGlite = queue.pglite;
  const send = pglite.execProtocolRaw.bind(pglite);
  let messages = 0;
  pglite.execProtocolRaw = (...message) => {
    messages++;
    if (messages === deadly) process.kill(process.pid, 'SIGKILL');
    return send(...message);
  };
  let step = from;
  const clock = () => BEGIN + step * STEP;
  // A dead process's lease would keep this one from leading for its rest.
  await db.execute(`update leases set until = 'epoch'`);
  const prices = Array.from({ length: COINS }, (_, index) => drawPrices(seed, index + 1, to));
  const { notifyAll } = createNotifications({ db, clock });
  const report = (error: unknown) => console.error(error);
  const leadership = createLeadership(db, { name: 'alerts', lease: MINUTE });
  const checker = createAlertChecker({
    db,
    clock,
    market: steppedMarket(prices, () => step),
    notifyAll,
    everyMs: STEP,
    report,
    leadership,
  });
  for (; step < to; step++) {
    fs.writeSync(1, `${step} ${messages}\n`);
    await checker.update();
    // Candles are read between two updates.
    await new Promise(setImmediate);
  }
  step = to - 1;
  await checker.close();
  fs.writeSync(1, `${to} ${messages}\n`);
  await close();
}

await start(z.parse(orders, JSON.parse(process.argv[2] ?? '{}')));
