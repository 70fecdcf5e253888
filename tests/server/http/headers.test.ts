import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

const SCRIPT = 'console.log("hashed")';
const FILES = {
  'index.html': '<!doctype html><title>Tidemark</title>',
  'sw.js': '// worker',
  'manifest.webmanifest': '{}',
  'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'assets/main-4f3a9c.js': SCRIPT,
  'assets/main-4f3a9c.js.br': brotliCompressSync(SCRIPT),
  'assets/main-4f3a9c.js.gz': gzipSync(SCRIPT),
};

const clientDir = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-client-'));
let server: TestServer;

beforeAll(async () => {
  fs.mkdirSync(path.join(clientDir, 'assets'));
  for (const [name, content] of Object.entries(FILES)) fs.writeFileSync(path.join(clientDir, name), content);
  server = await startServer({ clientDir, env: { ALLOWED_ORIGINS: 'https://app.example.com', PUBLIC_URL: 'http://localhost:8080' } });
});
afterAll(async () => {
  await server.close();
  fs.rmSync(clientDir, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(server.url + url, { method, headers, redirect: 'manual' });
const navigate = (url: string, method?: string) => get(url, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }, method);

function policyOf(response: Response): Record<string, string> {
  const policy = response.headers.get('content-security-policy') ?? '';
  return Object.fromEntries(policy.split(';').map((directive) => directive.trim().split(/ (.*)/s).slice(0, 2)));
}

describe('the content security policy', () => {
  test.each(['/', '/crypto', '/assets/main-4f3a9c.js', '/api/config', '/api/nothing', '/mailbox'])('of %s is strict', async (url) => {
    const policy = policyOf(await navigate(url));
    expect(policy).toEqual({
      'default-src': "'self'",
      'script-src': "'self'",
      'style-src': "'self'",
      'img-src': "'self' blob: data: https://s2.coinmarketcap.com",
      'font-src': "'self'",
      'connect-src': "'self' https://s2.coinmarketcap.com ws://localhost:8080",
      'frame-src': "'self'",
      'worker-src': "'self'",
      'manifest-src': "'self'",
      'object-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'self'",
      'frame-ancestors': "'self'",
    });
  });

  test('comes with the other headers, without HTTPS ones on plain HTTP', async () => {
    const { headers } = await navigate('/');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(headers.get('strict-transport-security')).toBeNull();
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
  });

  test('asks for HTTPS and the secure socket where the app is public, and lets the client reach the hosts it was built for', async () => {
    const env = {
      PUBLIC_URL: 'https://tidemark.example/',
      VITE_API_URL: 'https://api.example/v2',
      VITE_INDICATOR_URL: 'https://levels.example/btc?theme=dark',
    };
    const open = await startServer({ env });
    try {
      const response = await fetch(`${open.url}/api/config`);
      expect(policyOf(response)['connect-src']).toBe(
        "'self' https://s2.coinmarketcap.com https://api.example wss://tidemark.example wss://api.example",
      );
      expect(policyOf(response)['frame-src']).toBe("'self' https://levels.example");
      expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000');
      const bots = {
        exchange: 'paper',
        paper: true,
        speed: 1,
        signUpUrl: 'https://www.bybit.com/register',
        referralUrls: ['https://www.bybit.com/register', 'https://www.bybit.com/invite'],
        egressAddresses: [],
        interval: '1h',
        replay: null,
        live: null,
      };
      expect(await response.json()).toEqual({ status: 200, data: { mailbox: false, analyst: 'built-in', store: 'none', bots } });
      expect((await fetch(`${open.url}/mailbox`)).status).toBe(404);
    } finally {
      await open.close();
    }
  });
});

describe('the built client', () => {
  test.each(['/', '/index.html', '/sw.js', '/manifest.webmanifest', '/favicon.svg', '/chat/archive/1'])(
    '%s is asked for each time',
    async (url) => {
      const response = await navigate(url);
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(response.headers.get('etag')).toBeTruthy();
    },
  );

  test('answers 304 to who has the current version', async () => {
    const etag = (await get('/sw.js')).headers.get('etag') ?? '';
    expect((await get('/sw.js', { 'if-none-match': etag, 'cache-control': 'max-age=0' })).status).toBe(304);
  });

  test('hashed files are kept for good, and sent in the smallest form the browser takes', async () => {
    const file = '/assets/main-4f3a9c.js';
    const plain = await get(file, { 'accept-encoding': 'identity' });
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await plain.text()).toBe(SCRIPT);
    // fetch decodes the body, so only the header shows which file was sent.
    for (const [accepted, sent] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
    ] as const) {
      const response = await get(file, { 'accept-encoding': accepted });
      expect(response.headers.get('content-encoding')).toBe(sent);
      expect(response.headers.get('vary')).toContain('accept-encoding');
      expect(response.headers.get('content-type')).toContain('javascript');
      expect(await response.text()).toBe(SCRIPT);
    }
  });

  test.each(['/crypto', '/crypto/', '/chat/archive/1?from=home', '/no/such/page', '/crypto/%zz', '/%ff'])(
    'a navigation to %s gets the app',
    async (url) => {
      const response = await navigate(url);
      expect(response.status).toBe(200);
      expect(await response.text()).toBe(FILES['index.html']);
    },
  );

  test.each(['/', '/crypto', '/no/such/page', '/index.html', '/sw.js', '/assets/main-4f3a9c.js', '/assets/gone-1.js', '/api/x'])(
    'HEAD of %s answers like GET, without a body',
    async (url) => {
      const [asked, head] = [await navigate(url), await navigate(url, 'HEAD')];
      const named = ['content-type', 'content-length', 'cache-control', 'etag', 'content-security-policy'];
      const about = ({ status, headers }: Response) => [status, ...named.map((name) => headers.get(name))];
      expect(about(head)).toEqual(about(asked));
      expect(await head.text()).toBe('');
    },
  );

  test.each(['/assets/gone-1.js', '/api', '/api/x', '/mailbox/x', '/healthz/x'])('a navigation to %s does not', async (url) => {
    const response = await navigate(url);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ status: 404, code: 'not_found' });
  });

  test.each(['/gone.js', '/crypto'])('a request for %s that is no navigation gets the error shape', async (url) => {
    const response = await get(url, { accept: '*/*' });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'not_found' });
  });

  test.each(['/../package.json', '/..%2fpackage.json', '/assets/..%2f..%2f..%2fetc%2fpasswd', '/.env'])('%s leads nowhere', async (url) => {
    const response = await get(url, { accept: '*/*' });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
  });
});

describe('other origins', () => {
  const from = (origin: string) => get('/api/config', { origin });

  test('that are allowed may read answers, with credentials', async () => {
    const { headers } = await from('https://app.example.com');
    expect(headers.get('access-control-allow-origin')).toBe('https://app.example.com');
    expect(headers.get('access-control-allow-credentials')).toBe('true');
  });

  test('that are not may not', async () => {
    expect((await from('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull();
  });

  test('may send the headers the client sends', async () => {
    const response = await fetch(`${server.url}/api/auth/login/`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example.com',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,idempotency-key',
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-headers')).toBe('Authorization, Content-Type, Idempotency-Key, User-Id');
  });
});

test('the health check answers without counting', async () => {
  const response = await get('/healthz');
  expect(response.status).toBe(200);
  expect(response.headers.get('x-ratelimit-limit')).toBeNull();
});
