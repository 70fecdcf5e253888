import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { SECOND } from '#domain/clock.ts';
import { chats } from '#server/db/schema/chat.ts';
import { POLLED_ROUTES } from '#server/http/request-log.ts';
import { createDatabaseFigures } from '#server/metrics/database-figures.ts';
import { measure } from '#server/metrics/measurements.ts';
import { plantBots } from '#tests/support/bots/bot-rig.ts';
import { botBody, botCaller } from '#tests/support/bots/bots.ts';
import { scriptedAnalyst } from '#tests/support/chat/scripted-analyst.ts';
import { createGate } from '#tests/support/create-gate.ts';
import { freePort } from '#tests/support/processes/free-port.ts';
import { createLog } from '#tests/support/server/leaks.ts';
import { connect, next, questionOf, send } from '#tests/support/server/realtime.ts';
import { routesOf } from '#tests/support/server/routes.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';
import { bundle } from '#tools/build/build-server.mjs';
import { at } from '#tools/root.mjs';

/** Returns the value of a sample, such as `tidemark_bots{state="running"}`; undefined if the scrape has none. */
function sampleOf(scrape: string, sample: string): number | undefined {
  const line = scrape.split('\n').find((one) => one.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

describe('on a port of their own', () => {
  const analyst = scriptedAnalyst();
  const log = createLog();
  let server: TestServer;
  let ada: SignedUp;
  let url: string;
  const scrape = async (): Promise<string> => {
    const response = await fetch(url);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    return response.text();
  };
  const read = (path: string) => fetch(`${server.url}${path}`, { headers: { authorization: ada.authorization } });

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}/metrics`;
    server = await startServer({ env: { METRICS_PORT: String(port), LOG_LEVEL: 'info' }, analyst, logTo: log });
    ada = await server.signUp();
  });
  afterAll(() => server?.close());

  test('the app itself has no such route, and the port has no other', async () => {
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
    expect((await fetch(url.replace('/metrics', '/healthz'))).status).toBe(404);
    expect((await fetch(url, { method: 'POST' })).status).toBe(404);
  });

  test('count requests by pattern, sockets, answers and figures of the database, and no user', async () => {
    const gate = createGate();
    const socket = await connect(server.url, ada.tokens.accessToken);
    analyst.respond = async () => 'The tide is high.';
    const answer = next(socket, 'chat_response', ({ chat_status }) => chat_status === 'ai-responce');
    await send(socket, questionOf(ada.user.id));
    await answer;
    analyst.respond = async () => {
      await gate.passed;
      throw new Error('no idea');
    };
    await send(socket, questionOf(ada.user.id));
    await server.db.update(chats).set({ createdAt: new Date(Date.now() - 100 * SECOND) });
    const call = botCaller(server, ada);
    const { body } = await call('POST', '/trading-bots', botBody());
    await vi.waitFor(async () => expect((await call('GET', `/trading-bots/${body.data.bot_id}`)).body.data.status).toBe('RUNNING'));
    await plantBots(server.db, 2, { now: Date.now(), status: 'ERROR' });
    await server.post('/auth/forgot-password/', { email: ada.user.email });
    await server.settled();
    await read(`/api/auth/user/${ada.user.id}/`);
    const stranger = randomUUID();
    await read(`/${stranger}`);
    await fetch(`${server.url}/`, { method: 'PROPFIND' });

    measure('modelUse', { input: 1_000, output: 200, dollars: 0.003 });

    const text = await scrape();
    expect(sampleOf(text, 'tidemark_model_tokens_total{direction="input"}')).toBe(1_000);
    expect(sampleOf(text, 'tidemark_model_tokens_total{direction="output"}')).toBe(200);
    expect(sampleOf(text, 'tidemark_model_cost_dollars_total')).toBe(0.003);
    expect(
      sampleOf(text, 'tidemark_http_request_duration_seconds_count{method="GET",route="/api/auth/user/:userId",status="2xx"}'),
    ).toBeGreaterThan(0);
    expect(sampleOf(text, 'tidemark_http_request_duration_seconds_count{method="GET",route="none",status="4xx"}')).toBeGreaterThan(0);
    expect(sampleOf(text, 'tidemark_sockets')).toBe(1);
    expect(sampleOf(text, 'tidemark_answer_duration_seconds_count{outcome="answered"}')).toBe(1);
    expect(sampleOf(text, 'tidemark_database_up')).toBe(1);
    expect(sampleOf(text, 'tidemark_queue_oldest_seconds{queue="questions"}')).toBeGreaterThan(99);
    expect(sampleOf(text, 'tidemark_queue_oldest_seconds{queue="bot_jobs"}')).toBe(0);
    expect(sampleOf(text, 'tidemark_bots{state="error"}')).toBe(2);
    expect(sampleOf(text, 'tidemark_bots{state="running"}')).toBe(1);
    expect(sampleOf(text, 'tidemark_pictures{kind="chat"}')).toBe(0);
    expect(sampleOf(text, 'tidemark_provider_calls_total{provider="mail",outcome="ok"}')).toBeGreaterThan(0);
    expect(sampleOf(text, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
    expect(sampleOf(text, 'process_open_fds')).toBeGreaterThan(0);
    expect(text).not.toContain('tidemark_database_pool_connections{');
    for (const secret of [ada.user.id, ada.user.email, stranger, 'PROPFIND']) expect(text).not.toContain(secret);

    gate.open();
    socket.disconnect();
    await vi.waitFor(async () => {
      const later = await scrape();
      expect(sampleOf(later, 'tidemark_answer_duration_seconds_count{outcome="failed"}')).toBe(1);
      expect(sampleOf(later, 'tidemark_sockets')).toBe(0);
    });
  });

  test('show what the exchange has left, and all of it once its window has ended', async () => {
    measure('exchangeBudget', { budget: 'requests:bybit', left: 3, max: 52, endsAt: Date.now() + 60 * SECOND });
    measure('exchangeCall', { exchange: 'bybit', outcome: 'rate-limit', seconds: 0.1 });
    const text = await scrape();
    expect(sampleOf(text, 'tidemark_exchange_budget_left{budget="requests:bybit"}')).toBe(3);
    expect(sampleOf(text, 'tidemark_exchange_call_duration_seconds_count{exchange="bybit",outcome="rate-limit"}')).toBe(1);
    measure('exchangeBudget', { budget: 'requests:bybit', left: 3, max: 52, endsAt: Date.now() - 1 });
    expect(sampleOf(await scrape(), 'tidemark_exchange_budget_left{budget="requests:bybit"}')).toBe(52);
  });

  test('show whether changes of other processes arrive, where there are others', async () => {
    expect(sampleOf(await scrape(), 'tidemark_listener_up')).toBeUndefined();
    measure('listener', { isListening: false, lostCount: 2 });
    const text = await scrape();
    expect(sampleOf(text, 'tidemark_listener_up')).toBe(0);
    expect(sampleOf(text, 'tidemark_listener_losses')).toBe(2);
  });

  test('show which process asks the market provider, where there are several', async () => {
    expect(sampleOf(await scrape(), 'tidemark_market_leader')).toBeUndefined();
    measure('marketLeader', { isLeader: true });
    expect(sampleOf(await scrape(), 'tidemark_market_leader')).toBe(1);
    measure('marketLeader', { isLeader: false });
    expect(sampleOf(await scrape(), 'tidemark_market_leader')).toBe(0);
  });

  test.each(['ops/alerts.yml', 'ops/dashboard.json'])('%s names only metrics and labels that exist', async (file) => {
    const text = await scrape();
    const known = new Map(
      [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', kind]) => samplesOf(name, kind === 'histogram')),
    );
    for (const [name] of known)
      for (const [, labels = ''] of text.matchAll(new RegExp(`^${name}\\{(.*)\\} `, 'gm'))) known.set(name, labels);
    const source = fs.readFileSync(at(file), 'utf8').replaceAll('\\"', '"');
    const used = [...source.matchAll(/\b((?:tidemark|process|nodejs)_[a-z0-9_]+)\b(?:\{(\w+)=)?/g)];
    expect(used.length).toBeGreaterThan(10);
    for (const [, name = '', label] of used) {
      expect([...known.keys()]).toContain(name);
      // Prometheus itself adds `job`.
      if (label !== undefined && label !== 'job' && known.get(name)) expect(known.get(name)).toContain(`${label}="`);
    }
  });

  test('a database that does not answer delays a scrape by the time limit, and is asked once', async () => {
    let asked = 0;
    let now = 0;
    let answer: () => void = () => undefined;
    const hanging = new Proxy(server.db, {
      get: (db, name) => {
        if (name !== 'transaction') return Reflect.get(db, name);
        asked++;
        return (...work: Parameters<typeof db.transaction>) =>
          new Promise<void>((resolve) => (answer = resolve)).then(() => db.transaction(...work));
      },
    });
    const { read } = createDatabaseFigures({
      db: hanging,
      config: server.config,
      clock: Date.now,
      store: 'test',
      report: () => undefined,
      now: () => now,
      timeout: 50,
    });
    expect(await Promise.all([read(), read()])).toEqual([undefined, undefined]);
    now += 60 * SECOND;
    answer();
    await expect.poll(read).toMatchObject({ ages: { questions: 0, bot_jobs: 0 } });
    expect(asked).toBe(1);
    now += 16 * SECOND;
    expect(await read()).toBeUndefined();
    answer();
    await expect.poll(read).toMatchObject({ ages: { questions: 0, bot_jobs: 0 } });
    expect(asked).toBe(2);
  });

  test('log lines name request, user and network, and routes that screens poll are sampled', async () => {
    const called = new Set(routesOf(server.app).map(({ method, path }) => `${method} ${path.replace(/(?<=.)\/$/, '')}`));
    expect([...POLLED_ROUTES].filter((route) => !called.has(route))).toEqual([]);

    const before = log.text().length;
    for (let times = 0; times < 40; times++) expect((await read(`/api/notification/${ada.user.id}`)).status).toBe(200);
    for (let times = 0; times < 3; times++) expect((await read(`/api/notification/${randomUUID()}`)).status).toBe(404);
    for (let times = 0; times < 3; times++) expect((await read('/api/auth/sessions')).status).toBe(200);
    const lines = () =>
      log
        .text()
        .slice(before)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    const answers = (route: string, status: number) => lines().filter((line) => line.route?.startsWith(route) && line.status === status);
    // A line follows its answer.
    await vi.waitFor(() => expect(answers('/api/auth/sessions', 200)).toHaveLength(3));
    expect(answers('/api/notification', 404)).toHaveLength(3);
    // Slow answers are no samples: each has its line.
    const [samples, slow] = [true, false].map((is) => answers('/api/notification', 200).filter(({ sample }) => (sample === 20) === is));
    const most = (40 - (slow?.length ?? 0)) / 20;
    expect(samples?.length).toBeGreaterThanOrEqual(Math.floor(most));
    expect(samples?.length).toBeLessThanOrEqual(Math.ceil(most));
    expect(samples?.[0]).toEqual({
      ...{ level: 30, time: expect.any(Number), pid: process.pid, hostname: expect.any(String), msg: 'answered' },
      ...{ reqId: expect.any(String), method: 'GET', route: '/api/notification/:userId', status: 200, ms: expect.any(Number) },
      ...{ userId: ada.user.id, network: '127.0.0.0/24', sample: 20 },
    });
  });

  test.each([
    ['/coin-market/get-data', '/api/coin-market/get-data', { limit: 1 }],
    ['/watchlist/own-id', '/api/watchlist/:userId', { limit: 1 }],
  ])('a list that screens poll by POST, %s, is sampled, and a command of the same method is not', async (path, route, body) => {
    const { authorization, user } = ada;
    const before = log.text().length;
    const post = async (to: string, sent: object) => expect((await server.post(to, sent, { authorization })).status).toBe(200);
    for (let times = 0; times < 40; times++) await post(path.replace('own-id', user.id), body);
    const removal = { userId: user.id, cryptoId: 1, cryptoSymbol: 'BTC', cryptoName: 'Bitcoin', actionType: 2 };
    for (let times = 0; times < 3; times++) await post('/watchlist', removal);
    const answers = (of: string) =>
      log
        .text()
        .slice(before)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .filter((line) => line.route === of);
    await vi.waitFor(() => expect(answers('/api/watchlist')).toHaveLength(3));
    const [samples = [], others = []] = [true, false].map((is) => answers(route).filter(({ sample }) => (sample === 20) === is));
    expect(others.every(({ ms }) => ms >= 1000)).toBe(true);
    expect(samples.length).toBeGreaterThanOrEqual(Math.floor((40 - others.length) / 20));
    expect(samples.length).toBeLessThanOrEqual(Math.ceil((40 - others.length) / 20));
  });
});

/** Returns the names of a metric's samples, as entries of a map to their labels. */
const samplesOf = (name: string, isHistogram: boolean): [string, string][] =>
  isHistogram ? ['_bucket', '_sum', '_count'].map((end) => [`${name}${end}`, '']) : [[name, '']];

test.each([
  ['metrics', 'prom-client'],
  ['traces', '@opentelemetry/api'],
  ['traces', '@opentelemetry/exporter-trace-otlp-http'],
])('a server without %s does not load %s', async (_what, name) => {
  const { metafile } = await build({ ...bundle(at('dist/tests/metrics')), write: false, metafile: true, sourcemap: false });
  const seen = new Set<string>();
  const queue = Object.keys(metafile.outputs).filter((file) => file.endsWith('/main.js'));
  const isLoadedByAny = Object.values(metafile.outputs).some(({ imports }) => imports.some(({ path }) => path === name));
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const { path, kind } of metafile.outputs[file]?.imports ?? []) if (kind === 'import-statement') queue.push(path);
  }
  expect(isLoadedByAny).toBe(true);
  expect(seen).toContain('fastify');
  expect(seen).not.toContain(name);
});
