import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findProgram } from './find-program.mjs';
import { freePort } from './free-port.ts';
import { untilAccepts } from './until-accepts.ts';

export interface Redis {
  port: number;
  /** Ends it at once, in the middle of all work. */
  crash(): Promise<void>;
  /** Starts it again at the same port, without data. Resolves when it accepts connections. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a Redis server on a free port, or returns undefined when none is installed. It stores nothing. */
export async function startRedis(): Promise<Redis | undefined> {
  const program = findProgram(['redis-server', '/usr/bin/redis-server']);
  if (!program) return undefined;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-redis-'));
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
  let server: ChildProcess | undefined;
  const start = async () => {
    server = spawn(program, args, { stdio: 'ignore' });
    await untilAccepts(port);
  };
  const crash = async () => {
    if (!server) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    server = undefined;
    await ended;
  };
  await start();
  return {
    port,
    crash,
    start,
    async stop() {
      await crash();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
