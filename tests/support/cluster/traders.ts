import pg from 'pg';
import { expect, vi } from 'vitest';
import { openDb } from '#server/db/open.ts';
import { countMiscounted } from '#tests/faults/ledger.ts';
import { DOUBLED_ORDERS } from '../bots/bot-faults.ts';
import { plantBots } from '../bots/bot-rig.ts';
import { operatorRows } from '../processes/operator.ts';
import type { Cluster } from './cluster.ts';

/** Adds bots, which the trading processes set up and run. */
export async function plantTraders({ databaseUrl, operatorEnv, dataDir }: Cluster, count: number): Promise<void> {
  const { db, close } = await openDb({ databaseUrl, dataDir });
  await plantBots(db, count, { now: Date.now(), secretsKey: operatorEnv.SECRETS_KEY ?? '' });
  await close();
}

/** Waits until each bot runs and has asked its exchange since a time, at most `limit` ms. */
export async function untilBotsRun(client: pg.Client, limit: number, since = new Date(0)): Promise<void> {
  const late = `select id from bots where status <> 'RUNNING' or last_exchange_at is null or last_exchange_at < $1`;
  await vi.waitFor(async () => expect((await client.query(late, [since])).rows).toEqual([]), { timeout: limit, interval: 200 });
}

/** Returns what is wrong in the database once all bots have gone on, within `limit` ms. */
export async function wrongRows({ databaseUrl, operatorEnv }: Cluster, limit: number): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await untilBotsRun(client, limit, new Date());
    const verified = await operatorRows(['verify'], operatorEnv);
    const faulty = verified.filter(({ faults }) => faults !== 0);
    const doubled = (await client.query(DOUBLED_ORDERS)).rows;
    return [...faulty, ...doubled, ...((await countMiscounted((query) => client.query(query))) === 0 ? [] : ['wrong charges'])];
  } finally {
    await client.end();
  }
}
