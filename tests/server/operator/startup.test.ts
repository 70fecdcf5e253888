import { once } from 'node:events';
import fs from 'node:fs';
import { createServer, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { isNightly } from '#tests/support/nightly.ts';
import { freePort } from '#tests/support/processes/free-port.ts';
import { launch as launchProgram } from '#tests/support/processes/launch.ts';
import { buildServer } from '#tests/support/processes/operator.ts';
import { copyDatabase } from '#tests/support/server/empty-database.ts';

const at = (relative: string) => fileURLToPath(new URL(`../../../${relative}`, import.meta.url));

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-startup-'));
let folders = 0;

beforeAll(buildServer, 120_000);
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Creates a data directory with an empty database. */
function newDataDir(): string {
  const dataDir = path.join(folder, String(folders++));
  copyDatabase(dataDir);
  return dataDir;
}

const launch = (env: Record<string, string>) => launchProgram(at('dist/server/main.js'), env);

async function expectRefusal(env: Record<string, string>, line: string) {
  expect(await launch(env).ended).toEqual({ code: 1, stdout: '', stderr: `Tidemark cannot start. ${line}\n` });
}

describe('a start that cannot work says why in one line', () => {
  test('for a wrong setting', async () => {
    await expectRefusal({ DATA_DIR: newDataDir(), PORT: 'abc' }, 'PORT: must be a whole number from 1 to 65535.');
  });

  test.each(['/tidemark', '?x', '#x'])('for a public address that goes on behind its host: %s', async (end) => {
    const env = { DATA_DIR: newDataDir(), PUBLIC_URL: `https://app.example.com${end}` };
    const line = 'PUBLIC_URL: must be an address without a path, starting with http:// or https://, such as https://app.example.com.';
    await expectRefusal(env, line);
  });

  test('for a data directory that cannot be written to', async () => {
    const file = path.join(folder, 'file');
    fs.writeFileSync(file, '');
    await expectRefusal({ DATA_DIR: file }, `DATA_DIR: cannot write to ${file} (ENOTDIR).`);
  });

  test('for a taken port', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as { port: number };
    await expectRefusal({ DATA_DIR: newDataDir(), PORT: String(port) }, `PORT: ${port} is already in use.`);
    holder.close();
  });

  test('for an address that is not this machine’s', async () => {
    const PUBLIC_URL = 'https://tidemark.example';
    const env = { DATA_DIR: newDataDir(), PORT: String(await freePort()), HOST: '192.0.2.1', PUBLIC_URL };
    await expectRefusal(env, 'HOST: 192.0.2.1 is not an address of this machine.');
  });

  test('for a public address with a loopback PUBLIC_URL', async () => {
    const env = { DATA_DIR: newDataDir(), PORT: String(await freePort()), HOST: '0.0.0.0' };
    await expectRefusal(
      env,
      'HOST: 0.0.0.0 serves other machines, so set PUBLIC_URL to the address they use, such as https://app.example.com.',
    );
  });

  test('for a database that does not answer', async () => {
    const env = { DATA_DIR: newDataDir(), DATABASE_URL: `postgres://127.0.0.1:${await freePort()}/tidemark` };
    await expectRefusal(env, 'DATABASE_URL: cannot connect to PostgreSQL (ECONNREFUSED).');
  });

  test('for a database that accepts connections and never answers', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    const { port } = silent.address() as { port: number };
    const env = { DATA_DIR: newDataDir(), DATABASE_URL: `postgres://127.0.0.1:${port}/tidemark` };
    await expectRefusal(env, 'DATABASE_URL: cannot connect to PostgreSQL (timeout expired).');
  });

  test('for a data directory that is open already', async () => {
    const dataDir = newDataDir();
    const first = launch({ DATA_DIR: dataDir, PORT: String(await freePort()) });
    await first.ready;
    const second = { DATA_DIR: dataDir, PORT: String(await freePort()) };
    await expectRefusal(second, `DATA_DIR: ${dataDir} is already open in another Tidemark process.`);
    first.child.kill('SIGTERM');
    await first.ended;
  });
});

/** `npm run nightly` also ends a server by Ctrl-C, and starts two at once after a crash. */

describe('a server that runs', () => {
  test.each(isNightly ? (['SIGTERM', 'SIGINT'] as const) : (['SIGTERM'] as const))(
    'prints its address, and shuts down cleanly on %s with open connections',
    async (signal) => {
      const port = await freePort();
      const server = launch({ DATA_DIR: newDataDir(), PORT: String(port) });
      expect(await server.ready).toBe(`http://localhost:${port}`);
      const kept = await fetch(`http://127.0.0.1:${port}/healthz`, { headers: { connection: 'keep-alive' } });
      expect(kept.status).toBe(200);
      server.child.kill(signal);
      expect(await server.ended).toEqual({ code: 0, stdout: `Tidemark ready at http://localhost:${port}\n`, stderr: '' });
      await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
    },
  );

  test('keeps answering for DRAIN_SECONDS after a signal, and ends at once after a second one', async () => {
    const server = launch({ DATA_DIR: newDataDir(), PORT: String(await freePort()), DRAIN_SECONDS: '300' });
    const url = await server.ready;
    server.child.kill('SIGTERM');
    await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(503));
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    // A signal right after the first one may be its copy.
    const again = setInterval(() => server.child.kill('SIGTERM'), 100);
    expect(await server.ended).toMatchObject({ code: 1, stderr: 'Tidemark was told twice to stop, and ends at once.\n' });
    clearInterval(again);
  });

  test('deletes old mail and files that a crash left behind', async () => {
    const dataDir = newDataDir();
    const old = [path.join(dataDir, 'mail', '20200101T000000000Z-0000-x.eml'), path.join(dataDir, 'uploads', 'left', '1')];
    for (const file of old) {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, 'old');
    }
    fs.utimesSync(path.join(dataDir, 'uploads', 'left'), 1, 1);
    const server = launch({ DATA_DIR: dataDir, PORT: String(await freePort()) });
    await server.ready;
    await vi.waitFor(() => expect(old.filter((file) => fs.existsSync(file))).toEqual([]));
    server.child.kill('SIGTERM');
    await server.ended;
  });

  // database.test.ts has this for the lock alone.
  test.runIf(isNightly)('one of two concurrent starts after a crash gets the directory', async () => {
    const dataDir = newDataDir();
    const killed = launch({ DATA_DIR: dataDir, PORT: String(await freePort()) });
    await killed.ready;
    killed.child.kill('SIGKILL');
    await killed.ended;

    const ports = [await freePort(), await freePort()];
    const pair = ports.map((port) => launch({ DATA_DIR: dataDir, PORT: String(port) }));
    const outcomes = await Promise.all(pair.map(({ ready }) => ready));
    expect(outcomes.filter((url) => url === undefined)).toHaveLength(1);
    for (const { child } of pair) child.kill('SIGTERM');
    expect((await Promise.all(pair.map(({ ended }) => ended))).map(({ code }) => code).sort()).toEqual([0, 1]);
  });
});
