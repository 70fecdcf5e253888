import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { at } from '#tools/root.mjs';
import { allocator } from '#tools/server-process.mjs';
import { mailReader } from '../mail/mail-folder.ts';
import type { RunningApp } from '../processes/app.ts';
import { freePort } from '../processes/free-port.ts';
import { createServerProcess, type ServerProcess } from '../processes/launch.ts';
import { operatorRows } from '../processes/operator.ts';
import type { Balancer } from './balancer.ts';
import { startHaproxy } from './haproxy.ts';
import type { ClusterServices } from './services.ts';

const MAIN = at('dist/server/main.js');
type Role = 'web' | 'bots';
const ROLES: readonly Role[] = ['web', 'web', 'web', 'bots', 'bots'];
/** Folders of DATA_DIR that all processes share. Each has its own for the rest. */
const SHARED = ['blobs', 'mail'];

export interface ClusterProcess extends ServerProcess {
  /** `web-1`, `bots-2`. */
  readonly name: string;
  readonly port: number;
}

/** Several processes on one PostgreSQL, behind HAProxy without sticky sessions. */
export interface Cluster extends RunningApp {
  readonly databaseUrl: string;
  readonly processes: readonly ClusterProcess[];
}

export interface ClusterOptions {
  /** Three web processes and two that trade by default. At most three may be for the web. */
  roles?: readonly Role[];
  /** Returns the built server that a process runs from its next start on. */
  programOf?: (name: string) => string;
}

/** Starts a cluster on a new database. `remove` stops it and deletes its data. */
export async function startCluster(
  services: ClusterServices,
  env: Record<string, string> = {},
  { roles = ROLES, programOf = () => MAIN }: ClusterOptions = {},
): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-cluster-'));
  for (const name of SHARED) mkdirSync(join(folder, name));
  const [port, ...ports] = await Promise.all([freePort(), ...roles.map(() => freePort())]);
  const url = `http://localhost:${port}`;
  const database = await createDatabase(services.postgresUrl);
  const shared: Record<string, string> = {
    NODE_ENV: 'production',
    ...allocator,
    DATABASE_URL: database.url,
    ...(services.redisUrl && { REDIS_URL: services.redisUrl }),
    JWT_SECRET: randomBytes(32).toString('hex'),
    SECRETS_KEY: randomBytes(32).toString('hex'),
    PUBLIC_URL: url,
    TRUST_PROXY: 'on',
    DRAIN_SECONDS: '0',
    ...env,
  };
  const processes = createProcesses(folder, roles, ports, (role, name) => ({
    settings: () => ({ ...shared, ROLE: role }),
    program: () => programOf(name),
  }));
  const webPorts = ports.filter((_, place) => roles[place] === 'web');
  let balancer: Balancer | undefined;

  const cluster: Cluster = {
    url,
    dataDir: folder,
    databaseUrl: database.url,
    get operatorEnv() {
      return { ...shared, DATA_DIR: join(folder, 'web-1') };
    },
    processes,
    get isRunning() {
      return balancer !== undefined;
    },
    readCode: mailReader(join(folder, 'mail')),
    async start() {
      await Promise.all(processes.map((each) => each.start()));
      balancer = await startHaproxy(port ?? 0, webPorts);
    },
    async stop(signal = 'SIGTERM') {
      await balancer?.stop();
      balancer = undefined;
      const codes = await Promise.all(processes.map((each) => each.stop(signal)));
      return codes.find((code) => code !== 0) ?? 0;
    },
    freeze() {
      for (const each of processes) each.freeze();
    },
    thaw() {
      for (const each of processes) each.thaw();
    },
    async endAccessTokens() {
      await operatorRows(['forget-secret', '--name', 'JWT_SECRET'], cluster.operatorEnv);
      shared.JWT_SECRET = randomBytes(32).toString('hex');
    },
    async remove() {
      try {
        cluster.thaw();
        await cluster.stop();
        await database.drop();
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };

  try {
    await cluster.start();
  } catch (error) {
    await cluster.stop('SIGKILL').finally(() => rmSync(folder, { recursive: true, force: true }));
    throw error;
  }
  return cluster;
}

type Setup = { settings: () => Record<string, string>; program: () => string };

/** Creates the processes, each with its data directory. */
function createProcesses(
  folder: string,
  roles: readonly Role[],
  ports: readonly number[],
  setUp: (role: Role, name: string) => Setup,
): ClusterProcess[] {
  const counts = { web: 0, bots: 0 };
  return roles.map((role, index) => {
    const name = `${role}-${++counts[role]}`;
    const port = ports[index] ?? 0;
    const dataDir = join(folder, name);
    mkdirSync(dataDir);
    for (const below of SHARED) symlinkSync(join(folder, below), join(dataDir, below));
    const { settings, program } = setUp(role, name);
    return Object.assign(
      createServerProcess(program, () => ({ ...settings(), PORT: String(port), DATA_DIR: dataDir })),
      { name, port },
    );
  });
}

/** Creates a database on a PostgreSQL server. */
export async function createDatabase(postgresUrl: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `tidemark_${randomBytes(6).toString('hex')}`;
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: postgresUrl });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await run(`create database ${name}`);
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(`drop database if exists ${name} with (force)`) };
}
