import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.ts';

const START_LIMIT_MS = 30_000;

/** Returns the folder of PostgreSQL's programs, or undefined when it is not installed. */
function findPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = fs.existsSync(debian) ? fs.readdirSync(debian).map((version) => path.join(debian, version, 'bin')) : [];
  return [...versions, ...(process.env.PATH ?? '').split(path.delimiter)].find((folder) => fs.existsSync(path.join(folder, 'initdb')));
}

/** Returns the user to run PostgreSQL or PgBouncer as: they refuse to run as root. */
export function findUser(): { uid?: number; gid?: number } | undefined {
  if (process.getuid?.() !== 0) return {};
  try {
    const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

export interface Postgres {
  url: string;
  stop(): Promise<void>;
}

/** A PostgreSQL server that a test crashes and starts again, with the same data at the same port. */
export interface PostgresServer extends Postgres {
  readonly port: number;
  /** Ends it at once, in the middle of all work. */
  crash(): Promise<void>;
  /** Resolves when it accepts connections. */
  start(): Promise<void>;
}

/** Starts a PostgreSQL server on a free port, or returns undefined when none is installed. Stopping it deletes its data. */
export async function startPostgres(): Promise<PostgresServer | undefined> {
  const programs = findPrograms();
  const user = findUser();
  if (programs === undefined || user === undefined) return undefined;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-pg-'));
  if (user.uid !== undefined) fs.chownSync(folder, user.uid, user.gid ?? user.uid);
  const data = path.join(folder, 'data');
  const quiet = { ...user, stdio: 'ignore', cwd: folder } as const;
  execFileSync(path.join(programs, 'initdb'), ['-D', data, '-U', 'tidemark', '--auth=trust', '--encoding=UTF8', '--no-sync'], quiet);
  const port = await freePort();
  const settings = [
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    `unix_socket_directories=${folder}`,
    '-c',
    'fsync=off',
    '-c',
    'max_connections=400',
  ];
  let server: ChildProcess | undefined;
  const start = async () => {
    server = spawn(path.join(programs, 'postgres'), ['-D', data, '-p', String(port), ...settings], quiet);
    await answers(server, port);
  };
  const end = async (signal: 'SIGINT' | 'SIGQUIT') => {
    if (!server) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    server = undefined;
    await ended;
  };
  await start();
  return {
    url: `postgres://tidemark@127.0.0.1:${port}/postgres`,
    port,
    start,
    crash: () => end('SIGQUIT'),
    async stop() {
      await end('SIGINT');
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until the server accepts connections. */
async function answers(server: ChildProcess, port: number): Promise<void> {
  for (const deadline = Date.now() + START_LIMIT_MS; Date.now() < deadline; ) {
    if (server.exitCode !== null) break;
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'tidemark', database: 'postgres' });
    client.on('error', () => undefined);
    const reached = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => undefined);
    if (reached) return;
    await pause(100);
  }
  throw new Error(`PostgreSQL did not accept connections within ${START_LIMIT_MS} ms.`);
}
