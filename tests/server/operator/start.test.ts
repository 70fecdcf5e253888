import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { freePort } from '#tests/support/processes/free-port.ts';
import { copyDatabase } from '#tests/support/server/empty-database.ts';
import { at } from '#tools/root.mjs';
import { allocator, nodeFlags } from '#tools/server-process.mjs';

let folder = '';
let port = 0;
const started: ChildProcess[] = [];

beforeAll(() => promisify(execFile)(process.execPath, [at('src/tools/build.mjs')]), 300_000);
beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-start-'));
  copyDatabase(folder);
  port = await freePort();
});
afterEach(async () => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  await stopped();
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const answers = () =>
  fetch(`http://127.0.0.1:${port}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );
const stopped = () => vi.waitFor(async () => expect(await answers()).toBe(false), { interval: 100 });

/** Starts a command that runs the server and waits for the server's answer. */
async function start(command: string, args: string[]) {
  const child = spawn(command, args, {
    cwd: at('.'),
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATA_DIR: folder,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      PAPER_FEED: 'replay',
      MARKET: 'demo',
    },
    stdio: 'ignore',
  });
  started.push(child);
  const ended = once(child, 'exit') as Promise<[code: number | null, signal: NodeJS.Signals | null]>;
  await vi.waitFor(async () => expect(await answers()).toBe(true), { timeout: 30_000, interval: 100 });
  return { child, ended };
}

const script = at('src/tools/start.mjs');

test('npm start passes exit codes and signals on', async () => {
  const { child, ended } = await start(process.execPath, [script]);
  const second = spawn(process.execPath, [script], {
    env: { ...process.env, DATA_DIR: folder, PORT: String(port), PAPER_FEED: 'replay', MARKET: 'demo' },
    stdio: 'ignore',
  });
  started.push(second);
  expect(await once(second, 'exit')).toEqual([1, null]);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(await answers()).toBe(false);
});

test("npm start limits the server's memory and core files, and leaves no server behind when killed", async () => {
  const { child, ended } = await start(process.execPath, [script]);
  if (process.platform === 'linux') {
    const [server] = fs.readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ');
    expect(fs.readFileSync(`/proc/${server}/limits`, 'utf8')).toMatch(/^Max core file size +0 +0 /m);
    const command = fs.readFileSync(`/proc/${server}/cmdline`, 'utf8').split('\0');
    expect(command).toEqual(expect.arrayContaining(nodeFlags));
    const env = fs.readFileSync(`/proc/${server}/environ`, 'utf8').split('\0');
    expect(env).toEqual(expect.arrayContaining(Object.entries(allocator).map((entry) => entry.join('='))));
  }
  child.kill('SIGKILL');
  await ended;
  await stopped();
});

test.skipIf(process.platform === 'win32')('npm start ends when the shell that npm runs it in dies', async () => {
  const { child, ended } = await start('/bin/sh', ['-c', `"${process.execPath}" "${script}"; true`]);
  child.kill('SIGTERM');
  await ended;
  await stopped();
});
