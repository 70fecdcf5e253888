import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTE_FILES, type RouteFiles } from '#domain/route-files.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

const ROUTES: RouteFiles = [
  { paths: ['/'], files: ['/assets/splash.js'] },
  { paths: ['/crypto', '/crypto/details/:cryptoId'], files: ['/assets/first-script-1.js', '/assets/lists.js', '/assets/lists.css'] },
  { paths: ['/crypto/crypto-search'], files: ['/assets/search.js'] },
];
const MARKET = [
  '</assets/first-script-1.js>; rel=preload; as=script; fetchpriority=high', // no module
  '</assets/lists.js>; rel=modulepreload',
  '</assets/lists.css>; rel=preload; as=style; crossorigin',
].join(', ');
const NAVIGATION = { accept: 'text/html,*/*;q=0.8', 'sec-fetch-mode': 'navigate' };

const clientDir = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-client-'));
const servers: Partial<Record<'on' | 'off', TestServer>> = {};

beforeAll(async () => {
  fs.writeFileSync(path.join(clientDir, 'index.html'), 'waits for its styles');
  fs.writeFileSync(path.join(clientDir, 'visit.html'), 'paints at once');
  fs.writeFileSync(path.join(clientDir, 'sw.js'), '');
  fs.writeFileSync(path.join(clientDir, ROUTE_FILES), JSON.stringify(ROUTES));
  servers.on = await startServer({ clientDir, env: { EARLY_HINTS: 'on' } });
  servers.off = await startServer({ clientDir });
});
afterAll(async () => {
  await Promise.all([servers.on?.close(), servers.off?.close()]);
  fs.rmSync(clientDir, { recursive: true });
});

/** Returns the `Link` header of the answer, and that of a 103 before it. */
function linksOf(url: string, headers: Record<string, string> = NAVIGATION, hints: 'on' | 'off' = 'off') {
  return new Promise<{ link: unknown; early: unknown }>((resolve, reject) => {
    let early: unknown;
    const request = http.get(`${servers[hints]?.url}${url}`, { headers, timeout: 10_000 }, (response) => {
      response.resume().on('end', () => resolve({ link: response.headers.link, early }));
    });
    request.on('information', (information) => (early = information.headers.link)).on('error', reject);
    request.on('timeout', () => request.destroy(new Error(`no answer to ${url}`)));
  });
}

describe('a navigation', () => {
  test.each([
    ['/', '</assets/splash.js>; rel=modulepreload'],
    ['/crypto', MARKET],
    ['/crypto/?top=10', MARKET],
    ['/crypto/details/1027', MARKET],
    ['/crypto/crypto-search', '</assets/search.js>; rel=modulepreload'],
  ])('to %s names the files of its page', async (url, link) => {
    expect((await linksOf(url)).link).toBe(link);
  });

  test.each(['/nowhere', '/crypto/details', '/crypto/details/1/more', '/crypto/%zz', '/%2Fcrypto'])(
    'to %s, which has no page, names none',
    async (url) => {
      expect((await linksOf(url)).link).toBeUndefined();
    },
  );
});

test.each([
  ['/', { accept: '*/*' }],
  ['/index.html', { accept: '*/*' }],
  ['/sw.js', NAVIGATION],
])('no other answer names files: %s %j', async (url, headers) => {
  expect((await linksOf(url, headers, 'on')).link).toBeUndefined();
});

describe('early hints', () => {
  test.each(['/', '/crypto'])('come before the page %s where the operator turns them on', async (url) => {
    const { link, early } = await linksOf(url, NAVIGATION, 'on');
    expect(early).toBe(link);
    expect(early).toContain('modulepreload');
    expect((await linksOf(url)).early).toBeUndefined();
  });

  test('never reach a client that does not say that it is a navigating browser', async () => {
    expect(await linksOf('/crypto', { accept: 'text/html' }, 'on')).toEqual({ link: MARKET, early: undefined });
    expect(await linksOf('/crypto', { accept: 'text/html', 'sec-fetch-mode': 'cors' }, 'on')).toEqual({ link: MARKET, early: undefined });
  });
});

describe('the page', () => {
  const text = async (url: string, headers: Record<string, string>) => (await fetch(`${servers.off?.url}${url}`, { headers })).text();

  test.each(['/', '/crypto', '/nowhere'])('%s paints before its styles, unless the user has chosen an appearance', async (url) => {
    expect(await text(url, NAVIGATION)).toBe('paints at once');
    expect(await text(url, { ...NAVIGATION, cookie: 'a=1; theme=dark' })).toBe('waits for its styles');
    expect(await text(url, { ...NAVIGATION, cookie: 'mytheme=dark' })).toBe('paints at once');
  });

  test.each(['/', '/index.html'])('that the worker keeps, %s, waits for its styles', async (url) => {
    expect(await text(url, { accept: '*/*' })).toBe('waits for its styles');
  });

  test('names the same files with a chosen appearance', async () => {
    expect((await linksOf('/crypto', { ...NAVIGATION, cookie: 'theme=light' })).link).toBe(MARKET);
  });
});
