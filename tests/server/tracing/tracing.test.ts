import http from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { HOUR } from '#domain/clock.ts';
import { createBudgets } from '#server/budgets.ts';
import { withStandIn } from '#server/ports/analyst/with-stand-in.ts';
import { createBybit } from '#server/ports/exchange/bybit/bybit.ts';
import { openMarketData } from '#server/ports/market-data/open-market-data.ts';
import { botBody, botCaller } from '#tests/support/bots/bots.ts';
import { startBybit } from '#tests/support/bots/bybit/bybit-server.ts';
import { freeBudget } from '#tests/support/bots/bybit/free-budget.ts';
import { scriptedAnalyst } from '#tests/support/chat/scripted-analyst.ts';
import { startCoinMarketCap } from '#tests/support/market/coinmarketcap.ts';
import { madeUpWorld } from '#tests/support/market/coinmarketcap-world.ts';
import { createLog } from '#tests/support/server/leaks.ts';
import { accept, answer, attributeOf, type Collector, never, startCollector } from '#tests/support/server/otlp-collector.ts';
import { connect, next, questionOf, send } from '#tests/support/server/realtime.ts';
import { type Overrides, startServer, type TestServer } from '#tests/support/server/server.ts';

const ROUTE = '/api/user/:userId/archives/:search_text?';
const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const TRACE = PARENT.split('-')[1];

let collector: Collector;
let server: TestServer | undefined;
let log: ReturnType<typeof createLog>;

beforeEach(async () => {
  collector = await startCollector();
  log = createLog();
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  collector.close();
});

/** Starts a server whose traces go to the collector. */
async function start({ env, ...rest }: Overrides = {}): Promise<TestServer> {
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, LOG_LEVEL: 'warn', ...env };
  server = await startServer({ env: settings, logTo: log, tracing: { interval: 50 }, ...rest });
  return server;
}

/** Waits until the spans of `count` requests have arrived: a span ends behind its answer, and can miss the close. */
const arrived = (count: number) =>
  vi.waitFor(() => expect(collector.spans().filter(({ name }) => name === 'GET /api/config')).toHaveLength(count));

/** Stops the server, which sends its last spans, and returns all that have arrived. */
async function traced() {
  await server?.close();
  server = undefined;
  return collector.spans();
}

/** Sends a request with exactly these headers and returns the status. */
const ask = (path: string, headers: http.OutgoingHttpHeaders = {}) =>
  new Promise<number | undefined>((resolve, reject) => {
    const request = http.get(`${server?.url}${path}`, { headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    request.on('error', reject);
  });

test('a request, its statements and its request id are one trace, and probes are none', async () => {
  const { url, signUp } = await start({ env: { OTEL_EXPORTER_OTLP_HEADERS: 'x-team=a%20b,authorization=Bearer%20letmein' } });
  const { user, authorization } = await signUp();
  const response = await fetch(`${url}/api/user/${user.id}/archives/`, { headers: { authorization } });
  await fetch(`${url}/api/nothing`);
  await fetch(`${url}/healthz`);
  await fetch(`${url}/readyz`);
  const spans = await traced();
  const request = spans.find((span) => attributeOf(span, 'tidemark.request_id') === response.headers.get('x-request-id'));
  if (!request) throw new Error('no span of the request');
  expect(request).toMatchObject({ name: `GET ${ROUTE}`, kind: 2 });
  expect(attributeOf(request, 'http.route')).toBe(ROUTE);
  expect(attributeOf(request, 'http.response.status_code')).toBe(200);
  expect(BigInt(request.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(request.startTimeUnixNano));
  const statements = spans.filter((span) => span.parentSpanId === request.spanId);
  expect(statements.length).toBeGreaterThan(0);
  for (const statement of statements) expect(statement).toMatchObject({ name: 'database SELECT', kind: 3, traceId: request.traceId });
  const register = spans.find((span) => span.name === 'POST /api/auth/login');
  expect(spans.some((span) => span.parentSpanId === register?.spanId && span.name === 'database INSERT')).toBe(true);
  expect(spans.filter(({ name }) => /healthz|readyz/.test(name))).toEqual([]);
  expect(collector.headers[0]).toMatchObject({ 'x-team': 'a b', authorization: 'Bearer letmein' });
});

test('questions, answers, model, market, exchange, bots and jobs have spans', async () => {
  const now = Date.now();
  const cmc = await startCoinMarketCap(madeUpWorld(), now);
  const bybit = await startBybit({ now: () => Date.now(), price: () => 60_000, candles: () => [] });
  const analyst = withStandIn({ model: scriptedAnalyst(), builtIn: scriptedAnalyst(), patience: 20_000, report: () => undefined });
  const { url, signUp } = await start({
    env: { MARKET: 'coinmarketcap', CMC_API_KEY: 'cmc-secret-key', CMC_BASE_URL: cmc.url },
    marketOn: (db, config) =>
      openMarketData(config, { db, clock: Date.now, budgets: createBudgets({ db, clock: Date.now }), btc: undefined }),
    analyst,
  });
  const ada = await signUp();
  const socket = await connect(url, ada.tokens.accessToken);
  const answered = next(socket, 'chat_response');
  await send(socket, questionOf(ada.user.id, { message: 'What is my-secret-question?' }));
  await answered;
  socket.disconnect();
  await fetch(`${url}/api/coin-market/get-data`, {
    method: 'POST',
    headers: { authorization: ada.authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ userId: ada.user.id }),
  });
  const call = botCaller(server as TestServer, ada);
  const { body } = await call('POST', '/trading-bots', botBody());
  await vi.waitFor(async () => expect((await call('GET', `/trading-bots/${body.data.bot_id}`)).body.data.status).toBe('RUNNING'));
  const partner = bybit.open('partner');
  const exchange = createBybit({
    testnet: false,
    urls: [bybit.url],
    referral: { code: '77' },
    clock: Date.now,
    budget: freeBudget,
    interval: HOUR,
    report: () => undefined,
    patience: { answer: 5000, limit: 2000 },
  });
  await exchange.account({ key: partner.key, secret: partner.secret }, { userId: '', botId: ada.user.id, capital: 1 }).check();
  // The last spans may not arrive: on a busy machine the close does not wait long enough for them.
  await vi.waitFor(() => {
    const names = collector.spans().map(({ name }) => name.replace(/^bybit .*/s, 'bybit'));
    const expected = ['socket chat_message', 'answer', 'language_model', 'coinmarketcap', 'job bots', 'bot cycle', 'bybit'];
    expect(names).toEqual(expect.arrayContaining(expected));
  });
  const spans = await traced();
  const model = spans.find(({ name }) => name === 'language_model');
  expect(spans.find(({ spanId }) => spanId === model?.parentSpanId)?.name).toBe('answer');
  const cycle = spans.find(({ name }) => name === 'bot cycle');
  expect(spans.some(({ parentSpanId }) => parentSpanId === cycle?.spanId)).toBe(true);

  const everything = collector.accepted.join('');
  const secrets = [ada.tokens.accessToken, ada.tokens.refreshToken, ada.password, ada.user.email, ada.user.id, 'my-secret-question'];
  for (const secret of [...secrets, partner.key, partner.secret, 'paper-demo-key', 'cmc-secret-key'])
    expect(everything).not.toContain(secret);
  await Promise.all([cmc.close(), bybit.close()]);
});

describe('the traceparent', () => {
  test('of a trusted proxy continues its trace, and its decision to record', async () => {
    await start({ env: { TRUST_PROXY: 'on', OTEL_TRACES_SAMPLER_ARG: '0' } });
    await ask('/api/config', { traceparent: PARENT });
    await ask('/api/config', { traceparent: PARENT.replace(/01$/, '00') });
    await ask('/api/config');
    const spans = (await traced()).filter(({ name }) => name === 'GET /api/config');
    expect(spans).toMatchObject([{ traceId: TRACE, parentSpanId: PARENT.split('-')[2] }]);
  });

  test.each(['off', '192.0.2.1'])('of anybody else is ignored: TRUST_PROXY=%s', async (TRUST_PROXY) => {
    await start({ env: { TRUST_PROXY } });
    await ask('/api/config', { traceparent: PARENT });
    await arrived(1);
    const spans = await traced();
    expect(spans.filter(({ traceId }) => traceId === TRACE)).toEqual([]);
  });

  test.each([
    ['is no text of its kind', 'x'.repeat(8000)],
    ['comes twice', [PARENT, PARENT]],
  ])('of a trusted proxy that %s begins a new trace', async (_what, traceparent) => {
    await start({ env: { TRUST_PROXY: 'on' } });
    expect(await ask('/api/config', { traceparent })).toBe(200);
    await arrived(1);
    const spans = (await traced()).filter(({ name }) => name === 'GET /api/config');
    expect(spans).toHaveLength(1);
    expect(spans[0]?.traceId).not.toBe(TRACE);
    expect(spans[0]?.parentSpanId ?? '').toBe('');
  });
});

test('no span holds an address, a token in it, a header or a long text', async () => {
  await start();
  await ask(`/api/config?token=in-the-address&x=${'a'.repeat(6000)}`, { authorization: 'Bearer in-a-header', 'x-long': 'b'.repeat(6000) });
  await ask(`/mailbox?to=in-the-address`);
  await ask(`/nowhere/in-the-address/${'c'.repeat(6000)}`, { accept: '*/*' });
  await server?.post('/auth/login/', { email: 'in-the-body@example.com', password: 'in-the-body' });
  // A span ends behind its answer, so the last one can miss the close.
  await ask('/api/config');
  expect((await traced()).length).toBeGreaterThanOrEqual(4);
  const everything = collector.accepted.join('');
  expect(everything).not.toMatch(/in-the-|in-a-header|a{50}|b{50}|c{50}/);
});

test('the last spans arrive although others are on their way when the server closes', async () => {
  collector.replies.push((response) => setTimeout(() => accept(response), 300));
  await start();
  await ask('/api/config');
  await vi.waitFor(() => expect(collector.headers.length).toBeGreaterThan(0));
  await ask('/mailbox');
  // A span ends behind its answer, so the last one can miss the close.
  await ask('/mailbox');
  expect((await traced()).map(({ name }) => name)).toContain('GET /mailbox');
});

test('nothing is recorded beyond the share that the operator sets', async () => {
  await start({ env: { OTEL_TRACES_SAMPLER_ARG: '0' } });
  for (let count = 0; count < 20; count++) await ask('/api/config');
  expect(await traced()).toEqual([]);
});

describe('a collector that', () => {
  test('never answers delays no request, and the queue for it is bounded', async () => {
    collector.always = never;
    const { url } = await start({ env: { TRUST_PROXY: 'on' }, tracing: { interval: 50, queueSize: 80 } });
    const from = (index: number) => ({ 'x-forwarded-for': `10.1.${index >> 8}.${index & 255}` });
    for (let index = 0; index < 1000; index += 50) {
      const batch = Array.from({ length: 50 }, (_, offset) => fetch(`${url}/api/config`, { headers: from(index + offset) }));
      for (const response of await Promise.all(batch)) expect(response.status).toBe(200);
    }
    collector.always = accept;
    collector.hangUp();
    await vi.waitFor(() => expect(collector.spans().length).toBeGreaterThan(0));
    // 80 in the queue, and five batches of 20 on their way.
    expect((await traced()).length).toBeLessThanOrEqual(180);
  });

  test('answers without an end gets five batches at once, and no others wait for it', async () => {
    let open = 0;
    let most = 0;
    collector.always = (response) => {
      most = Math.max(most, ++open);
      const timer = setInterval(() => response.write(' '), 20);
      response.writeHead(200).on('close', () => {
        clearInterval(timer);
        open--;
      });
    };
    await start({ tracing: { interval: 20, timeout: 200 } });
    const isRefused = () => log.text().includes('traces do not reach their collector');
    // Each batch is given up after 200 ms, and the next one begins. A pause of the process may end one, which makes place for another.
    for (let count = 0; count < 60 && !(isRefused() && most === 5); count++) {
      await ask('/api/config');
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    expect(isRefused()).toBe(true);
    expect(most).toBe(5);
  });

  test.each([
    ['is busy', answer(429, { 'retry-after': '1' })],
    ['is away for a moment', answer(503)],
    ['closes the connection', (response: http.ServerResponse) => void response.destroy()],
  ])('%s gets the spans later, once', async (_what, reply) => {
    collector.replies = [reply];
    await start();
    expect(await ask('/api/config')).toBe(200);
    await vi.waitFor(() => expect(collector.spans().map(({ name }) => name)).toEqual(['GET /api/config']));
    expect(await ask('/api/config')).toBe(200);
    await arrived(2);
    expect(await traced()).toHaveLength(2);
  });

  test.each([
    ['refuses', answer(400, {}, 'no'.repeat(1_000_000))],
    ['asks to wait for a day', answer(503, { 'retry-after': '86400' })],
    ['sends elsewhere', answer(302, { location: 'http://127.0.0.1:9/v1/traces' })],
  ])('%s is named in the log once, and again when it works', async (_what, reply) => {
    collector.replies = [reply];
    await start({ env: { LOG_LEVEL: 'info' } });
    await ask('/api/config');
    await vi.waitFor(() => expect(log.text()).toContain('traces do not reach their collector'));
    await ask('/api/config');
    await vi.waitFor(() => expect(log.text()).toContain('traces reach their collector again'));
    expect(log.text().match(/traces do not reach/g)).toHaveLength(1);
    expect(log.text().length).toBeLessThan(5000);
  });

  test('answers garbage is as good as one that accepts', async () => {
    collector.replies = [answer(200, { 'content-type': 'application/json' }, '<html>')];
    await start();
    expect(await ask('/api/config')).toBe(200);
    await vi.waitFor(() => expect(collector.headers).toHaveLength(1));
    expect(await ask('/api/config')).toBe(200);
    await arrived(1);
    expect(await traced()).toHaveLength(1);
  });
});

test.each([
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'ftp://127.0.0.1' },
  { OTEL_TRACES_SAMPLER_ARG: '1.5' },
  { OTEL_TRACES_SAMPLER_ARG: '-1' },
  { OTEL_EXPORTER_OTLP_HEADERS: 'no-value' },
  { OTEL_EXPORTER_OTLP_HEADERS: 'a=%0d%0ab' },
  { OTEL_EXPORTER_OTLP_HEADERS: 'a=%zz' },
])('a setting that cannot be meant is refused: %j', async (env) => {
  await expect(startServer({ env })).rejects.toThrow(Object.keys(env)[0]);
});
