import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '#tests/support/processes/free-port.ts';
import { launch } from '#tests/support/processes/launch.ts';
import { buildServer } from '#tests/support/processes/operator.ts';
import { startTcpProxy, type TcpProxy } from '#tests/support/processes/tcp-proxy.ts';
import { onPostgres, sharedEnv } from '#tests/support/server/on-postgres.ts';
import { at } from '#tools/root.mjs';

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-log-'));
let proxy: TcpProxy;
let databaseUrl: string;

onPostgres(
  async (postgres) => {
    await buildServer();
    proxy = await startTcpProxy(postgres);
    databaseUrl = Object.assign(new URL(postgres.url), { port: String(proxy.port) }).href;
  },
  async () => proxy?.close(),
);
afterAll(() => fs.rmSync(dataDir, { recursive: true, force: true }));

test('a server without its database logs JSON alone', async () => {
  const { child, ready, ended } = launch(at('dist/server/main.js'), {
    ...sharedEnv(databaseUrl),
    ...{ DATA_DIR: dataDir, PORT: String(await freePort()), DRAIN_SECONDS: '0' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr?.on('data', (chunk) => (stderr += chunk));
  await ready;
  proxy.refuse();
  // The process renews its lease on the feed every ten seconds.
  await vi.waitFor(() => expect(stderr).toContain('renewLease'), { timeout: 40_000, interval: 100 });
  await proxy.heal();
  child.kill('SIGTERM');
  expect((await ended).code).toBe(0);
  expect(
    stderr
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('{')),
  ).toEqual([]);
});
