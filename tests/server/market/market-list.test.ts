import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { apiError } from '#contract/errors.ts';
import { marketListAnswer } from '#contract/market/market.ts';
import { stillMarket } from '#tests/support/market/market.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

let server: TestServer;
let user: SignedUp;

beforeAll(async () => {
  server = await startServer({ market: stillMarket(), env: { ALLOWED_ORIGINS: 'https://other.example' } });
  user = await server.signUp();
});
afterAll(() => server.close());

const PATH = '/coin-market/get-data';
const get = (query = '', headers: Record<string, string> = {}) =>
  fetch(`${server.url}/api${PATH}${query}`, { headers: { authorization: user.authorization, ...headers } });
const post = async (body: unknown) => (await server.post(PATH, body, { authorization: user.authorization })).json();

/** Without fetch, which undoes every encoding. */
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
    expect(answer).toEqual(await post(body));
  });

  it('is asked for again by its tag, and kept by nobody but its caller', async () => {
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

  it('asks for a token', async () => {
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
