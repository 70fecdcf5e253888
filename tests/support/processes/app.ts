import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { at } from '#tools/root.mjs';
import { allocator } from '#tools/server-process.mjs';
import { mailReader } from '../mail/mail-folder.ts';
import { freePort } from './free-port.ts';
import { createServerProcess, type ServerProcess } from './launch.ts';

const MAIN = at('dist/server/main.js');

/** The built server, with its own data directory. Restarts keep data and address. */
export interface RunningApp extends Omit<ServerProcess, 'pid'> {
  /** Address without a trailing slash. */
  readonly url: string;
  readonly dataDir: string;
  /** Settings with which the admin CLI reaches it. */
  readonly operatorEnv: Record<string, string>;
  /** Waits for the next unread code mailed to an address. */
  readCode(email: string): Promise<string>;
  /** Replaces the key of access tokens while the server is stopped: all become void, and refresh tokens stay valid. */
  endAccessTokens(): Promise<void>;
  /** Stops the server and deletes its data. */
  remove(): Promise<void>;
}

/** A server in one process. */
export interface RunningServer extends RunningApp, ServerProcess {}

/**
 * Starts the built server on a free port and a new data directory.
 * @param settings additional settings
 * @param program built server, of another checkout for instance
 */
export async function startApp(
  settings: Record<string, string> = {},
  dataDir = mkdtempSync(join(tmpdir(), 'tidemark-app-')),
  program = MAIN,
): Promise<RunningServer> {
  const port = await freePort();
  const env = { NODE_ENV: 'production', ...allocator, ...settings, PORT: String(port), DATA_DIR: dataDir };
  const app: RunningServer = Object.assign(
    createServerProcess(program, () => env),
    {
      url: `http://localhost:${port}`,
      dataDir,
      operatorEnv: { DATA_DIR: dataDir },
      readCode: mailReader(join(dataDir, 'mail')),
      endAccessTokens: async () => rmSync(join(dataDir, 'jwt-secret')),
      async remove() {
        try {
          await app.stop();
        } finally {
          rmSync(dataDir, { recursive: true, force: true });
        }
      },
    },
  );

  try {
    await app.start();
  } catch (error) {
    rmSync(dataDir, { recursive: true, force: true });
    throw error;
  }
  return app;
}
