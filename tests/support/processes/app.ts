import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { at } from '#tools/root.mjs';
import { allocator, nodeFlags } from '#tools/server-process.mjs';
import { mailReader } from '../mail/mail-folder.ts';
import { freePort } from './free-port.ts';

const MAIN = at('dist/server/main.js');
const READY = /^Tidemark ready at (\S+)$/m;

/** The built server in its own process, with its own data directory. */
export interface RunningApp {
  /** Address without a trailing slash. Restarts keep it. */
  readonly url: string;
  readonly dataDir: string;
  /** Undefined while the server is stopped. */
  readonly pid: number | undefined;
  /** Waits for the next unread code mailed to an address. */
  readCode(email: string): Promise<string>;
  /** Stops the server, keeps its data and returns the exit code. SIGKILL simulates a crash. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
  /** Restarts the server on the same data and address. */
  start(): Promise<void>;
  /** Stops the server and deletes its data. */
  remove(): Promise<void>;
}

/** How long the server may take to start, and to finish its work after SIGTERM, ms. */
const LIMIT_MS = 60_000;

/** Waits until the server reports that it is ready. Throws with its output when it exits or takes too long. */
function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => reject(new Error(`The server was not ready within ${LIMIT_MS / 1000} s:\n${said}`)), LIMIT_MS);
    server.once('exit', () => clearTimeout(timer));
    const listen = (chunk: Buffer) => {
      said += chunk;
      if (!READY.test(said)) return;
      clearTimeout(timer);
      resolve();
    };
    server.stdout?.on('data', listen);
    server.stderr?.on('data', listen);
    server.once('exit', () => reject(new Error(`The server ended while starting:\n${said}`)));
  });
}

/**
 * Starts the built server on a free port and a new data directory.
 * @param env additional settings
 * @param program built server, of another checkout for instance
 */
export async function startApp(
  env: Record<string, string> = {},
  dataDir = mkdtempSync(join(tmpdir(), 'tidemark-app-')),
  program = MAIN,
): Promise<RunningApp> {
  const port = await freePort();
  let server: ChildProcess | undefined;

  const app: RunningApp = {
    url: `http://localhost:${port}`,
    dataDir,
    get pid() {
      return server?.pid;
    },
    readCode: mailReader(join(dataDir, 'mail')),
    async start() {
      server = spawn(process.execPath, [...nodeFlags, program], {
        env: {
          PATH: process.env.PATH,
          NODE_ENV: 'production',
          ...allocator,
          LOG_LEVEL: 'warn',
          PAPER_FEED: 'replay',
          ...env,
          PORT: String(port),
          DATA_DIR: dataDir,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const starting = server;
      await ready(starting).catch((error) => {
        starting.kill('SIGKILL');
        throw error;
      });
    },
    async stop(signal = 'SIGTERM') {
      if (!server) return null;
      const ending = server;
      server = undefined;
      const ended = ending.exitCode === null && ending.signalCode === null ? once(ending, 'exit') : undefined;
      ending.kill(signal);
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        ending.kill('SIGKILL');
      }, LIMIT_MS);
      await ended;
      clearTimeout(timer);
      if (isLate) throw new Error(`The server did not end within ${LIMIT_MS / 1000} s of ${signal}.`);
      return ending.exitCode;
    },
    async remove() {
      try {
        await app.stop();
      } finally {
        rmSync(dataDir, { recursive: true, force: true });
      }
    },
  };

  try {
    await app.start();
  } catch (error) {
    rmSync(dataDir, { recursive: true, force: true });
    throw error;
  }
  return app;
}
