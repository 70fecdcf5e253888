import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { apiError } from '#contract/errors.ts';
import { marketListAnswer } from '#contract/market/market.ts';
import { createDemoMarket } from '#server/ports/market-data/demo-market.ts';
import { WEDNESDAY } from '#tests/support/market/market.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const TICK = 5000;

let server: TestServer;
let user: SignedUp;
let marketTime = WEDNESDAY;

beforeAll(async () => {
  // The server's clock stands still, so that no rate limit window ends during a count.
  const now = Date.now();
  server = await startServer({
    clock: () => now,
    market: createDemoMarket({ clock: () => marketTime, seed: 1, tickMs: TICK }),
    env: { ALLOWED_ORIGINS: 'https://other.example' },
  });
  user = await server.signUp();
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => server.close());

const PATH = '/coin-market/get-data';
const get = (query = '', headers: Record<string, string> = {}) =>
  fetch(`${server.url}/api${PATH}${query}`, { headers: { authorization: user.authorization, ...headers } });
const post = (body: unknown = {}, headers: Record<string, string> = {}) =>
  server.post(PATH, body, { authorization: user.authorization, ...headers });

/** Requests without fetch, which decodes every encoding. */
function bytes(acceptEncoding: string, method = 'GET'): Promise<{ encoding: string | undefined; vary: string | undefined; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: user.authorization, 'accept-encoding': acceptEncoding, 'content-type': 'application/json' };
    const sent = request(`${server.url}/api${PATH}`, { method, headers }, async (response) => {
      const body = Buffer.concat(await response.toArray());
      resolve({ encoding: response.headers['content-encoding'], vary: response.headers.vary, body });
    });
    sent.on('error', reject).end(method === 'POST' ? '{}' : undefined);
  });
}

describe('GET /coin-market/get-data', () => {
  it.each([
    ['', {}],
    ['?limit=5', { limit: 5 }],
    ['?limit=20&convert=BTC&sortType=4', { limit: 20, convert: 'BTC', sortType: 4 }],
    [
      '?limit=50&convert=USD&sortType=2&priceMin=0.5&priceMax=100&percentChange24hMin=-10&marketCapMin=1000000000',
      { limit: 50, convert: 'USD', sortType: 2, priceMin: 0.5, priceMax: 100, percentChange24hMin: -10, marketCapMin: 1e9 },
    ],
    ['?limit=5&limit=10', { limit: 10 }],
  ])('answers %j like the POST', async (query, body) => {
    const response = await get(query);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const answer = await response.json();
    expect(z.parse(marketListAnswer, answer).data.data.length).toBeGreaterThan(0);
    expect(answer).toEqual(await (await post(body)).json());
  });

  it("revalidates by ETag, and only the caller's own cache may keep it", async () => {
    const first = await get('?limit=10');
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    const again = await get('?limit=10', { 'if-none-match': etag });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
    expect((await get('?limit=20', { 'if-none-match': etag })).status).toBe(200);
  });

  it.each(['?limit=0', '?limit=many', '?limit=1.5', '?sortType=7', '?convert=EUR', '?priceMin=cheap', '?priceMin=1e3'])(
    'refuses %s',
    async (query) => {
      const response = await get(query);
      expect(response.status).toBe(400);
      expect(z.parse(apiError, await response.json()).code).toBe('validation');
    },
  );

  it('requires a token', async () => {
    const response = await get('', { authorization: '' });
    expect([response.status, response.headers.get('cache-control')]).toEqual([401, 'no-store']);
  });
});

it.each(['GET', 'POST'])('%s sends the encoding its caller takes', async (method) => {
  const [plain, br, gzip] = await Promise.all([bytes('identity', method), bytes('gzip, br', method), bytes('gzip', method)]);
  expect([plain.encoding, br.encoding, gzip.encoding]).toEqual([undefined, 'br', 'gzip']);
  expect(brotliDecompressSync(br.body)).toEqual(plain.body);
  expect(gunzipSync(gzip.body)).toEqual(plain.body);
  expect(br.body.length).toBeLessThan(plain.body.length / 2);
  expect(plain.vary).toContain('Accept-Encoding');
});

it('the list of 100 coins with their 7-day lines has less than 30 kB', async () => {
  const { body } = await bytes('br');
  const { data } = z.parse(marketListAnswer, JSON.parse(brotliDecompressSync(body).toString())).data;
  expect(data).toHaveLength(100);
  expect(data.filter(({ line_7d }) => line_7d).length).toBeGreaterThan(95);
  expect(body.length).toBeLessThan(30_000);
});

describe.each([
  ['GET', (headers?: Record<string, string>) => get('?limit=20', headers)],
  ['POST', (headers?: Record<string, string>) => post({ limit: 20 }, headers)],
])('a repeated %s', (_, ask) => {
  /** Headers that do not change from response to response. */
  const stable = (response: Response) =>
    Object.fromEntries([...response.headers].filter(([name]) => !/^(date|x-request-id|x-ratelimit-.*)$/.test(name)));

  it('gets the same body and headers, and its own request id', async () => {
    const [first, again] = [await ask(), await ask()];
    expect(await again.text()).toBe(await first.text());
    expect(stable(again)).toEqual(stable(first));
    expect(again.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
  });

  it('gets new prices as soon as they change', async () => {
    const before = await (await ask()).text();
    marketTime += TICK;
    const after = await (await ask()).text();
    expect(after).not.toBe(before);
    expect(await (await ask()).text()).toBe(after);
  });

  it('gets CORS headers for its own origin alone', async () => {
    const plain = await ask();
    const foreign = await ask({ origin: 'https://other.example' });
    expect(foreign.headers.get('access-control-allow-origin')).toBe('https://other.example');
    const again = await ask();
    expect(again.headers.get('access-control-allow-origin')).toBeNull();
    expect(await again.text()).toBe(await plain.text());
  });

  it('is refused without a valid token and after sign-out', async () => {
    const eve = await server.signUp();
    const asEve = () => ask({ authorization: eve.authorization });
    expect((await asEve()).status).toBe(200);
    expect((await ask({ authorization: '' })).status).toBe(401);
    expect((await ask({ authorization: `${eve.authorization}x` })).status).toBe(401);
    const bye = await server.post('/auth/logout/', { refreshToken: eve.tokens.refreshToken }, { authorization: eve.authorization });
    expect(bye.status).toBe(200);
    expect((await asEve()).status).toBe(401);
  });
});

it('accepts long and chunked bodies, and refuses broken ones', async () => {
  expect((await post({ limit: 5, rest: 'x'.repeat(5000) })).status).toBe(200);
  const send = (body: BodyInit, more: object = {}) =>
    fetch(`${server.url}/api${PATH}`, {
      method: 'POST',
      headers: { authorization: user.authorization, 'content-type': 'application/json' },
      body,
      ...more,
    });
  expect((await send('{"limit": ')).status).toBe(400);
  const stream = new Blob(['{"limit":', '5}']).stream();
  const answer = await (await send(stream, { duplex: 'half' })).json();
  expect(z.parse(marketListAnswer, answer).data.data).toHaveLength(5);
});

it('counts towards the 1200 requests a minute of its user', async () => {
  const eve = await server.signUp();
  // The rate limiter reads Date itself: the minute must not end while the test counts.
  vi.useFakeTimers({ toFake: ['Date'] });
  const ask = () => get('?limit=5', { authorization: eve.authorization });
  const batch = async () => new Set(await Promise.all(Array.from({ length: 100 }, async () => (await ask()).status)));
  for (let sent = 0; sent < 1100; sent += 100) expect(await batch()).toEqual(new Set([200]));
  await batch();
  expect((await ask()).status).toBe(429);
  expect((await get('?limit=5')).status).toBe(200);
});
