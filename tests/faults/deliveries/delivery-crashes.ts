import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MINUTE } from '#domain/clock.ts';
import { createRandom } from '#domain/random.ts';
import { type OpenDb, openDb } from '#server/db/open.ts';
import { deliveries, destinations } from '#server/db/schema/deliveries.ts';
import { users } from '#server/db/schema/users.ts';
import { createNotifications } from '#server/modules/notifications/service.ts';
import { type Receiver, startReceiver } from '#tests/support/notifications/receiver.ts';
import { bundleProgram } from '#tests/support/processes/bundle.mjs';
import { copyDatabase } from '#tests/support/server/empty-database.ts';

const BEGIN = Date.UTC(2026, 2, 1, 12);
const USERS = 4;
const EACH = 6;
/** Longer than a claim lasts, ms. */
const STEP = 3 * MINUTE;
/** Processes that run to their end after the last kill. */
const REST = 3;

export interface DeliveryCrashReport {
  kills: number;
  /** States of all deliveries. */
  states: Record<string, number>;
  /** Messages by how often the receiver got them. */
  times: Record<number, number>;
}

/** Kills a process that sends notifications (kill -9) at moments drawn from `seed`, and counts what arrived and what is recorded. */
export async function runDeliveryCrashes({ kills, seed }: { kills: number; seed: number }): Promise<DeliveryCrashReport> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tidemark-deliveries-'));
  const receiver = await startReceiver();
  const random = createRandom(seed);
  try {
    copyDatabase(dataDir);
    const program = await bundleProgram('tests/faults/deliveries/delivery-sender.ts');
    await withDb(dataDir, ({ db }) => plant(db, receiver));
    const trusted = [receiver.url];
    let killed = 0;
    let now = BEGIN;
    for (; killed < kills; now += STEP) {
      // Claims, contents, health and record are some messages each.
      if (await run(program, { dataDir, now, deadly: 2 + Math.floor(random() * 25), trusted })) killed++;
      else await withDb(dataDir, ({ db }) => plant(db, receiver));
    }
    for (let life = 0; life < REST; life++, now += STEP) await run(program, { dataDir, now, deadly: 0, trusted });
    const states: Record<string, number> = {};
    await withDb(dataDir, async ({ db }) => {
      for (const { state } of await db.select().from(deliveries)) states[state] = (states[state] ?? 0) + 1;
    });
    return { kills: killed, states, times: timesOf(receiver) };
  } finally {
    await receiver.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function withDb(dataDir: string, use: (open: OpenDb) => Promise<void>): Promise<void> {
  const open = await openDb({ databaseUrl: undefined, dataDir });
  await use(open).finally(open.close);
}

async function plant(db: OpenDb['db'], receiver: Receiver): Promise<void> {
  const { notify } = createNotifications({ db, clock: () => BEGIN });
  for (let index = 0; index < USERS; index++) {
    const email = `${randomUUID()}@example.com`;
    const [user] = await db.insert(users).values({ email, firstName: 'Ada', lastName: 'Byron', passwordHash: 'x' }).returning();
    const userId = user?.id ?? '';
    await db.insert(destinations).values({ userId, channel: 'webhook', address: `${receiver.url}/`, sealed: Buffer.alloc(1) });
    for (let number = 0; number < EACH; number++)
      await db.transaction((tx) => notify(tx, userId, { kind: 'alert', text: `Alert ${number}` }));
  }
}

/** Runs the program. Returns whether it was killed. */
async function run(program: string, orders: object): Promise<boolean> {
  const child = spawn(process.execPath, [program, JSON.stringify(orders)], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(`The process ended with ${code ?? signal}.`);
  return signal === 'SIGKILL';
}

function timesOf({ received }: Receiver): Record<number, number> {
  const byId = new Map<unknown, number>();
  for (const { headers } of received) byId.set(headers['webhook-id'], (byId.get(headers['webhook-id']) ?? 0) + 1);
  const times: Record<number, number> = {};
  for (const count of byId.values()) times[count] = (times[count] ?? 0) + 1;
  return times;
}
