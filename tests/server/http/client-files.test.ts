import { createHash } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { clientFiles } from '#server/db/schema/operations.ts';
import { tidy } from '#server/housekeeping/tidy.ts';
import { onPostgres, sharedEnv } from '#tests/support/server/on-postgres.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

type Version = 'old' | 'new';

const scriptOf = (version: Version) => `console.log(${JSON.stringify(version)});`.repeat(20);
const pageOf = (version: Version) => `<!doctype html><script src="/assets/main-${version}.js"></script>`;
const shellOf = (version: Version) => `/index.html?__WB_REVISION__=${createHash('md5').update(pageOf(version)).digest('hex')}`;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-client-'));
const servers: Partial<Record<Version, TestServer>> = {};

/** Writes the files of a build and starts a server with them. */
async function startVersion(version: Version, env: Record<string, string>): Promise<TestServer> {
  const clientDir = path.join(folder, version);
  const files = {
    'index.html': pageOf(version),
    'visit.html': pageOf(version),
    'sw.js': `// ${version}`,
    [`assets/main-${version}.js`]: scriptOf(version),
    [`assets/main-${version}.js.br`]: brotliCompressSync(scriptOf(version)),
    [`assets/main-${version}.js.map`]: '{}',
    [`assets/font-${version}.woff2`]: `font ${version}`,
  };
  fs.mkdirSync(path.join(clientDir, 'assets'), { recursive: true });
  for (const [name, content] of Object.entries(files)) fs.writeFileSync(path.join(clientDir, name), content);
  return startServer({ clientDir, env });
}

onPostgres(
  async ({ url }) => {
    servers.old = await startVersion('old', sharedEnv(url));
    servers.new = await startVersion('new', sharedEnv(url));
  },
  async () => {
    await Promise.all([servers.old?.close(), servers.new?.close()]);
    fs.rmSync(folder, { recursive: true });
  },
);

/** Asks for a path without decompressing the answer. */
function ask(version: Version, wanted: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<{ status: number | undefined; headers: http.IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    const request = http.request(`${servers[version]?.url}${wanted}`, { headers, method, timeout: 10_000 }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) }));
    });
    request.on('error', reject).end();
  });
}

const PAIRS: [of: Version, from: Version][] = [
  ['old', 'new'],
  ['new', 'old'],
  ['old', 'old'],
  ['new', 'new'],
];

describe('while two versions run on one database', () => {
  test.each(PAIRS)('the script of the %s version comes from the %s server', async (of, from) => {
    const plain = await ask(from, `/assets/main-${of}.js`);
    expect(plain.body.toString()).toBe(scriptOf(of));
    expect(plain.headers).toMatchObject({
      'content-type': expect.stringContaining('javascript'),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      vary: 'Origin, accept-encoding',
    });
    expect(plain.headers['content-encoding']).toBeUndefined();
    const packed = await ask(from, `/assets/main-${of}.js`, { 'accept-encoding': 'gzip, deflate, br, zstd' });
    expect(packed.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(packed.body).toString()).toBe(scriptOf(of));
    const refused = await ask(from, `/assets/main-${of}.js`, { 'accept-encoding': 'br;q=0, identity' });
    expect(refused.body.toString()).toBe(scriptOf(of));
    expect((await ask(from, `/assets/font-${of}.woff2`)).headers['content-type']).toBe('font/woff2');
    expect((await ask(from, `/assets/main-${of}.js`, {}, 'HEAD')).status).toBe(200);
  });

  test.each(PAIRS)('a worker of the %s version gets its own page from the %s server', async (of, from) => {
    const answer = await ask(from, shellOf(of));
    expect(answer.body.toString()).toBe(pageOf(of));
    expect(answer.headers['content-type']).toContain('text/html');
  });
});

test.each([
  '/index.html?__WB_REVISION__=d41d8cd98f00b204e9800998ecf8427e',
  '/index.html?__WB_REVISION__=',
  `/index.html?__WB_REVISION__=${'a'.repeat(300)}`,
  '/assets/main-none.js',
  '/assets/main-new.js.map.br',
  `/assets/${'a'.repeat(200)}.js`,
  "/assets/';drop table client_files;--.js",
])('an address that no version has is not found: %s', async (address) => {
  expect((await ask('old', address)).status).toBe(404);
});

test('no source map is stored, and nothing that each server has at the same address', async () => {
  const rows = (await servers.new?.db.select({ key: clientFiles.key }).from(clientFiles)) ?? [];
  expect(rows.map(({ key }) => key).sort()).toEqual(
    (['new', 'old'] as const).flatMap((each) => [`assets/font-${each}.woff2`, `assets/main-${each}.js`, shellOf(each).slice(1)]).sort(),
  );
});

test('files stay while a server of their version runs, and for two weeks after', async () => {
  const { db } = servers.new as TestServer;
  const age = (days: number) => db.update(clientFiles).set({ usedAt: sql`now() - make_interval(days => ${days})` });
  const remaining = async () => (await db.select({ key: clientFiles.key }).from(clientFiles)).length;
  await age(13);
  await tidy(db, Date.now());
  expect(await remaining()).toBe(6);
  await age(15);
  const restarted = await startServer({ clientDir: path.join(folder, 'new'), env: sharedEnv(servers.new?.config.databaseUrl ?? '') });
  await tidy(db, Date.now());
  await restarted.close();
  expect(await remaining()).toBe(3);
  // The old server has forgotten nothing of its own, and the next publication brings it back.
  expect((await ask('old', '/assets/main-old.js')).status).toBe(200);
  await db.delete(clientFiles).where(eq(clientFiles.key, 'assets/main-new.js'));
  expect((await ask('new', '/assets/main-new.js')).status).toBe(200);
});

test('a flood of unknown addresses is refused beyond a queue, and known ones are still served', async () => {
  const flood = Array.from({ length: 600 }, (_, index) => ask('old', `/assets/unknown-${index}.js`));
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  expect(statuses.filter((status) => status !== 404 && status !== 503)).toEqual([]);
  expect((await ask('old', '/assets/main-new.js')).status).toBe(200);
});
