import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { marketListAnswer } from '#contract/market/market.ts';
import { createDemoMarket } from '#server/ports/market-data/demo-market.ts';
import { WEDNESDAY } from '#tests/support/market/market.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const PATH = '/coin-market/get-data';
const TICK = 5000;

let server: TestServer;
let user: SignedUp;
let marketTime = WEDNESDAY;
let log: Record<string, unknown>[] = [];

beforeAll(async () => {
  // The server's own time stands still, so that a minute does not end in the middle of a count.
  const now = Date.now();
  server = await startServer({
    clock: () => now,
    market: createDemoMarket({ clock: () => marketTime, seed: 1, tickMs: TICK }),
    env: { LOG_LEVEL: 'info', ALLOWED_ORIGINS: 'https://other.example' },
    logTo: { write: (line) => log.push(JSON.parse(line)) },
  });
  user = await server.signUp();
});
afterAll(() => server.close());

const post = (body: unknown = {}, headers: Record<string, string> = {}) =>
  server.post(PATH, body, { authorization: user.authorization, ...headers });
const get = (query = '', headers: Record<string, string> = {}) =>
  fetch(`${server.url}/api${PATH}${query}`, { headers: { authorization: user.authorization, ...headers } });

/** Sends it, and tells whether the answer was one repeated. */
async function sent(call: () => Promise<Response>): Promise<{ response: Response; text: string; hot: boolean }> {
  log = [];
  const response = await call();
  const text = await response.text();
  const id = response.headers.get('x-request-id');
  // The ordinary way writes its line when the answer is out, which may be after it arrived.
  await expect.poll(() => log.some((line) => line.msg === 'answered' && line.reqId === id)).toBe(true);
  return { response, text, hot: log.some((line) => line.hot === true) };
}

/** Headers but for those that belong to one answer alone. */
const lasting = (response: Response) =>
  Object.fromEntries([...response.headers].filter(([name]) => !/^(date|x-request-id|x-ratelimit-.*)$/.test(name)));

describe.each([
  ['GET', (headers?: Record<string, string>) => get('?limit=20', headers)],
  ['POST', (headers?: Record<string, string>) => post({ limit: 20 }, headers)],
])('the same %s again', (_, ask) => {
  it('gets the same answer with the same headers, without the detour', async () => {
    const first = await sent(() => ask());
    const again = await sent(() => ask());
    expect([first.hot, again.hot]).toEqual([false, true]);
    expect(again.text).toBe(first.text);
    expect(lasting(again.response)).toEqual(lasting(first.response));
    expect(again.response.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(again.response.headers.get('x-request-id')).not.toBe(first.response.headers.get('x-request-id'));
  });

  it('gets new figures as soon as they move', async () => {
    const before = await sent(() => ask());
    marketTime += TICK;
    const after = await sent(() => ask());
    expect(after.hot).toBe(false);
    expect(after.text).not.toBe(before.text);
    expect((await sent(() => ask())).text).toBe(after.text);
  });

  it('gets an answer of its own for another origin or encoding', async () => {
    const plain = await sent(() => ask());
    const foreign = await sent(() => ask({ origin: 'https://other.example' }));
    expect(foreign.hot).toBe(false);
    expect((await sent(() => ask({ origin: 'https://other.example' }))).response.headers.get('access-control-allow-origin')).toBe(
      'https://other.example',
    );
    const bare = await sent(() => ask({ 'accept-encoding': 'identity' }));
    expect([bare.hot, bare.response.headers.get('content-encoding')]).toEqual([false, null]);
    const still = await sent(() => ask());
    expect(still.response.headers.get('access-control-allow-origin')).toBeNull();
    expect(still.text).toBe(plain.text);
  });

  it('is refused to whoever is not signed in, and from the moment somebody signs out', async () => {
    const eve = await server.signUp();
    const asEve = () => ask({ authorization: eve.authorization });
    await sent(asEve);
    expect((await sent(asEve)).hot).toBe(true);
    expect((await ask({ authorization: '' })).status).toBe(401);
    expect((await ask({ authorization: `${eve.authorization}x` })).status).toBe(401);
    const bye = await server.post('/auth/logout/', { refreshToken: eve.tokens.refreshToken }, { authorization: eve.authorization });
    expect(bye.status).toBe(200);
    expect((await asEve()).status).toBe(401);
  });
});

it('a tag is answered with 304 again and again', async () => {
  const etag = (await get('?limit=10')).headers.get('etag') ?? '';
  const asked = () => sent(() => get('?limit=10', { 'if-none-match': etag }));
  const [first, again] = [await asked(), await asked()];
  expect([first.response.status, again.response.status, again.hot]).toEqual([304, 304, true]);
  expect([again.text, again.response.headers.get('etag')]).toEqual(['', etag]);
});

it('long, broken and chunked bodies take the ordinary way', async () => {
  expect((await post({ limit: 5, rest: 'x'.repeat(5000) })).status).toBe(200);
  const send = (body: BodyInit, more: object = {}) =>
    fetch(`${server.url}/api${PATH}`, {
      method: 'POST',
      headers: { authorization: user.authorization, 'content-type': 'application/json' },
      body,
      ...more,
    });
  expect((await send('{"limit": ')).status).toBe(400);
  expect((await send('{"limit": ')).status).toBe(400);
  const stream = new Blob(['{"limit":', '5}']).stream();
  const answer = await (await send(stream, { duplex: 'half' })).json();
  expect(z.parse(marketListAnswer, answer).data.data).toHaveLength(5);
});

it('one token is repeated to 1200 times a minute; after that addresses are counted', async () => {
  const eve = await server.signUp();
  const asked = () => get('?limit=5', { authorization: eve.authorization });
  /** Only the ordinary way counts by address, and says so. */
  const counted = (answer: Response) => answer.headers.has('x-ratelimit-limit');
  await asked();
  expect(counted(await asked())).toBe(false);
  for (let batch = 0; batch < 12; batch++) {
    await Promise.all(Array.from({ length: 100 }, async () => (await asked()).arrayBuffer()));
  }
  expect(counted(await asked())).toBe(true);
});
