import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { openDurable } from '#server/db/embedded/durable.ts';
import { openDb } from '#server/db/open.ts';
import { countMiscounted } from '#tests/faults/ledger.ts';
import { plantBots } from '#tests/support/bots/bot-rig.ts';
import { startCluster } from '#tests/support/cluster/cluster.ts';
import { startServices } from '#tests/support/cluster/services.ts';
import { plantTraders } from '#tests/support/cluster/traders.ts';
import { type RunningApp, startApp } from '#tests/support/processes/app.ts';
import { operatorRows } from '#tests/support/processes/operator.ts';
import { at } from '#tools/root.mjs';
import { type DataSizes, folderSize, type Query, tableSizes } from './data-sizes.ts';
import type { Probed } from './samples.ts';

export type StageName = 'embedded' | 'cluster';

interface Sizes {
  whole: number;
  parts: DataSizes;
}

/** A running installation. */
export interface Stage {
  name: StageName;
  app: RunningApp;
  processes(): Probed[];
  /** Sizes of the data at the start. */
  before: Sizes;
  /** Bytes of the data of running servers. */
  wholeSize(): Promise<number>;
  /** Stops the servers. Returns the sizes of their data, and how many rows are wrong. */
  finish(): Promise<{ after: Sizes; wrong: number }>;
  remove(): Promise<void>;
}

interface Options {
  bots: number;
  /** Further modules for the servers to load. */
  load?: readonly string[];
}

const settingsFor = ({ load = [] }: Options): Record<string, string> => ({
  NODE_OPTIONS: [at('tests/soak/probe.mjs'), ...load].map((file) => `--import=${pathToFileURL(file)}`).join(' '),
  TRUST_PROXY: 'on',
  MAX_SOCKETS_PER_NETWORK: '1000',
  LOG_LEVEL: 'error',
});

export const startStage = (name: StageName, options: Options): Promise<Stage> =>
  name === 'embedded' ? startEmbedded(options) : startOnCluster(options);

async function startEmbedded(options: Options): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tidemark-soak-'));
  const secretsKey = randomBytes(32).toString('hex');
  const { db, close } = await openDb({ databaseUrl: undefined, dataDir });
  await plantBots(db, options.bots, { now: Date.now(), secretsKey });
  await close();
  const wholeSize = async () => folderSize(dataDir).bytes;
  const sizes = async (query: Query): Promise<Sizes> => ({
    whole: await wholeSize(),
    parts: { ...(await tableSizes(query)), ...folderSizes(dataDir), 'write-ahead log': folderSize(join(dataDir, 'db/pg_wal')) },
  });
  const before = await readClosed(dataDir, sizes);
  const app = await startApp({ ...settingsFor(options), SECRETS_KEY: secretsKey }, dataDir);
  return {
    name: 'embedded',
    app,
    processes: () => [{ name: 'server', pid: app.pid, dataDir }],
    before,
    wholeSize,
    async finish() {
      const faulty = await countFaulty(app);
      await app.stop();
      const after = await readClosed(dataDir, sizes);
      return { after, wrong: faulty + (await readClosed(dataDir, countMiscounted)) };
    },
    remove: () => app.remove(),
  };
}

/** Queries the database of a stopped server. */
async function readClosed<T>(dataDir: string, read: (query: Query) => Promise<T>): Promise<T> {
  const database = await openDurable(join(dataDir, 'db'));
  try {
    return await read((statement) => database.query(statement));
  } finally {
    await database.close();
  }
}

async function startOnCluster(options: Options): Promise<Stage> {
  const services = await startServices({ redis: true });
  const cluster = await startCluster(services, settingsFor(options)).catch(async (error) => {
    await services.stop();
    throw error;
  });
  const { dataDir, databaseUrl } = cluster;
  await plantTraders(cluster, options.bots);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const query: Query = (statement) => client.query(statement);
  const bytes = async (of: string) => (await client.query(`select (${of})::float8 as bytes`)).rows[0].bytes as number;
  const walSize = () => bytes('select sum(size) from pg_ls_waldir()');
  const wholeSize = async () =>
    (await bytes('select pg_database_size(current_database())')) + (await walSize()) + folderSize(dataDir).bytes;
  const sizes = async (): Promise<Sizes> => ({
    whole: await wholeSize(),
    parts: { ...(await tableSizes(query)), ...folderSizes(dataDir), 'write-ahead log': { bytes: await walSize() } },
  });
  return {
    name: 'cluster',
    app: cluster,
    processes: () => cluster.processes.map(({ name, pid }) => ({ name, pid, dataDir: join(dataDir, name) })),
    before: await sizes(),
    wholeSize,
    async finish() {
      const faulty = await countFaulty(cluster);
      return { after: await sizes(), wrong: faulty + (await countMiscounted(query)) };
    },
    async remove() {
      await client.end();
      await cluster.remove().finally(() => services.stop());
    },
  };
}

const folderSizes = (dataDir: string): DataSizes => ({
  pictures: folderSize(join(dataDir, 'blobs')),
  mail: folderSize(join(dataDir, 'mail')),
});

async function countFaulty({ operatorEnv }: RunningApp): Promise<number> {
  const { NODE_OPTIONS, ...env } = operatorEnv;
  return (await operatorRows(['verify'], env)).filter(({ faults }) => faults !== 0).length;
}
