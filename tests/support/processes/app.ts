import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { at } from '#tools/root.mjs';
import { allocator } from '#tools/server-process.mjs';
import { mailReader } from '../mail/mail-folder.ts';
import { freePort } from './free-port.ts';
import { end, type Launched, launch, untilReady } from './launch.ts';

const MAIN = at('dist/server/main.js');

/** The built server, with its own data directory. */
export interface RunningApp {
  /** Address without a trailing slash. Restarts keep it. */
  readonly url: string;
  readonly dataDir: string;
  readonly isRunning: boolean;
  /** Settings with which the admin CLI reaches it. */
  readonly operatorEnv: Record<string, string>;
  /** Waits for the next unread code mailed to an address. */
  readCode(email: string): Promise<string>;
  /** Stops the server, keeps its data and returns the exit code. SIGKILL simulates a crash. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
  /** Restarts the server on the same data and address. */
  start(): Promise<void>;
  /** Makes the server accept requests and answer none, until it is thawed. A frozen server cannot end. */
  freeze(): void;
  /** Does nothing to a server that is not frozen or does not run. */
  thaw(): void;
  /** Replaces the key of access tokens while the server is stopped: all become void, and refresh tokens stay valid. */
  endAccessTokens(): Promise<void>;
  /** Stops the server and deletes its data. */
  remove(): Promise<void>;
}

/** A server in one process. */
export interface RunningServer extends RunningApp {
  /** Undefined while it is stopped. */
  readonly pid: number | undefined;
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
): Promise<RunningServer> {
  const port = await freePort();
  let server: Launched | undefined;

  const app: RunningServer = {
    url: `http://localhost:${port}`,
    dataDir,
    get isRunning() {
      return server !== undefined;
    },
    get pid() {
      return server?.child.pid;
    },
    operatorEnv: { DATA_DIR: dataDir },
    readCode: mailReader(join(dataDir, 'mail')),
    async start() {
      server = launch(program, { NODE_ENV: 'production', ...allocator, ...env, PORT: String(port), DATA_DIR: dataDir });
      await untilReady(server);
    },
    async stop(signal) {
      if (!server) return null;
      const ending = server;
      server = undefined;
      return end(ending, signal);
    },
    freeze: () => void server?.child.kill('SIGSTOP'),
    thaw: () => void server?.child.kill('SIGCONT'),
    endAccessTokens: async () => rmSync(join(dataDir, 'jwt-secret')),
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
