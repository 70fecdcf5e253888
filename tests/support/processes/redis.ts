import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findProgram } from './find-program.mjs';
import { freePort } from './free-port.ts';
import { untilAccepts } from './until-accepts.ts';

export interface Redis {
  port: number;
  stop(): Promise<void>;
}

/** Starts a Redis server on a free port, or returns undefined when none is installed. It stores nothing. */
export async function startRedis(): Promise<Redis | undefined> {
  const program = findProgram(['redis-server', '/usr/bin/redis-server']);
  if (!program) return undefined;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-redis-'));
  const port = await freePort();
  const server = spawn(program, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder], { stdio: 'ignore' });
  await untilAccepts(port);
  return {
    port,
    async stop() {
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
