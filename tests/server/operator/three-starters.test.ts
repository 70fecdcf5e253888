import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isNightly } from '#tests/support/nightly.ts';
import { freePort } from '#tests/support/processes/free-port.ts';
import { copyDatabase } from '#tests/support/server/empty-database.ts';
import { at } from '#tools/root.mjs';

/** What a start needs of a checkout. */
const SOURCES = ['src', 'sw', 'public', 'index.html', 'package.json', 'package-lock.json', 'tsconfig.json', 'vite.config.ts'];
const READY = 'Tidemark ready at';

let checkout = '';
const started: ChildProcess[] = [];

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'tidemark-checkout-'));
  for (const name of SOURCES) cpSync(at(name), join(checkout, name), { recursive: true });
  symlinkSync(at('node_modules'), join(checkout, 'node_modules'));
});
afterEach(async () => {
  await Promise.all(
    started.splice(0).map(async (child) => {
      const ended = child.exitCode ?? child.signalCode ?? once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }),
  );
  rmSync(checkout, { recursive: true, force: true, maxRetries: 5 });
});

/** Runs `npm start` of the checkout on a database of its own. Resolves with what it said, once it is ready or has ended. */
async function start(name: string): Promise<string> {
  const dataDir = join(checkout, name);
  mkdirSync(dataDir);
  copyDatabase(dataDir);
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, DATA_DIR: dataDir, PORT: String(await freePort()), LOG_LEVEL: 'warn', PAPER_FEED: 'replay', MARKET: 'demo' };
  const child = spawn(process.execPath, [join(checkout, 'src/tools/start.mjs')], { cwd: checkout, env });
  started.push(child);
  let said = '';
  return new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        said += chunk;
        if (said.includes(READY)) resolve(said);
      });
    }
    child.on('exit', (code) => resolve(`${said}ended with ${code}`));
  });
}

test.runIf(isNightly)(
  'of three starts at once in a checkout without a build, one builds and all become ready',
  async () => {
    expect(existsSync(join(checkout, 'dist'))).toBe(false);
    const said = await Promise.all(['one', 'two', 'three'].map(start));
    for (const each of said) expect(each).toContain(READY);
    expect(said.filter((each) => each.includes('Building the app')).length).toBe(1);
    expect(said.filter((each) => each.includes('Building the server')).length).toBe(1);
  },
  300_000,
);
