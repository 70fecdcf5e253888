import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import pg from 'pg';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { HOUR, SECOND } from '#domain/clock.ts';
import { bots } from '#server/db/schema/bots.ts';
import { sessions } from '#server/db/schema/sessions.ts';
import { sendCommand } from '#server/operator/send-command.ts';
import { median } from '#tests/bench/median.ts';
import { plantBots } from '#tests/support/bots/bot-rig.ts';
import { scriptedAnalyst } from '#tests/support/chat/scripted-analyst.ts';
import { type Redis, startRedis } from '#tests/support/processes/redis.ts';
import { startTcpProxy, type TcpProxy } from '#tests/support/processes/tcp-proxy.ts';
import { onPostgres, sharedEnv } from '#tests/support/server/on-postgres.ts';
import { connect, gone, next, questionOf, send, type TestSocket } from '#tests/support/server/realtime.ts';
import { PASSWORD, type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const CHANNEL = 'tidemark_changes';
// A shorter limit is too short for a busy machine, where it ends connections that work.
const listening = { check: 50, limit: 10_000, firstRetry: 20, maxRetry: 100 };
// A process that polls may take a question of another one, whose socket then waits for an answer over the cut connection.
const answerPoll = HOUR;
const analyst = scriptedAnalyst();
const servers: TestServer[] = [];
const open: TestSocket[] = [];
let admin: pg.Client;
/** Stands between the first server and what it listens to. */
let proxy: TcpProxy;
let redis: Redis | undefined;
let redisProxy: TcpProxy | undefined;
let here: TestServer;
let there: TestServer;
let trading: TestServer;
let byRedis: TestServer[] = [];

/** Starts a server whose intervals never pass, so that it learns of ended sessions from messages alone. */
async function withoutPolls<T>(start: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    return await start();
  } finally {
    vi.useRealTimers();
  }
}

onPostgres(
  async ({ url }) => {
    admin = new pg.Client({ connectionString: url });
    await admin.connect();
    const direct = new URL(url);
    proxy = await startTcpProxy({ port: Number(direct.port) });
    direct.port = String(proxy.port);
    const env = sharedEnv(url);
    const start = async (more: Record<string, string>) => {
      const server = await startServer({ env: { ...env, ...more }, analyst, listening, claimLifetime: HOUR, answerPoll });
      servers.push(server);
      return server;
    };
    here = await withoutPolls(() => start({ ROLE: 'web', DATABASE_LISTEN_URL: direct.href }));
    there = await start({ ROLE: 'web' });
    trading = await start({ ROLE: 'bots' });
    redis = await startRedis();
    if (!redis) return;
    const first = await startTcpProxy(redis);
    redisProxy = first;
    byRedis = [
      await withoutPolls(() => start({ ROLE: 'web', REDIS_URL: `redis://127.0.0.1:${first.port}` })),
      await start({ ROLE: 'web', REDIS_URL: `redis://127.0.0.1:${redis.port}` }),
    ];
  },
  async () => {
    for (const server of servers) await server.close();
    await Promise.all([proxy?.close(), redisProxy?.close(), redis?.stop(), admin?.end()]);
  },
);

afterEach(() => {
  for (const socket of open.splice(0)) socket.disconnect();
});

async function arrive(server: TestServer, token: string): Promise<TestSocket> {
  const socket = await connect(server.url, token);
  open.push(socket);
  return socket;
}

/** Asks a question at a server. Returns its ids once it is answered there. */
async function ask(server: TestServer, { user, tokens }: SignedUp) {
  const socket = await arrive(server, tokens.accessToken);
  const question = questionOf(user.id);
  const answered = next(socket, 'chat_response', ({ chat_id }) => chat_id === question.client_id);
  await send(socket, question);
  await answered;
  return question;
}

/** Records the private events that a socket hears. */
function record(socket: TestSocket): unknown[] {
  const heard: unknown[] = [];
  for (const name of ['chat_response', 'generate_title_response', 'notification'] as const)
    socket.on(name, (event: unknown) => heard.push(event));
  return heard;
}

const notify = (...messages: string[]) =>
  admin.query('select pg_notify($1, message) from unnest($2::text[]) as sent(message)', [CHANNEL, messages]);

/** The servers by what carries their news, and the proxy before the first one's listener. */
const carriers = [
  ['PostgreSQL', () => ({ first: here, second: there, toFirst: proxy })],
  ['Redis', () => ({ first: byRedis[0] as TestServer, second: byRedis[1] as TestServer, toFirst: redisProxy as TcpProxy })],
] as const;

const needs = (carrier: string, skip: (why: string) => void) => carrier === 'Redis' && !redis && skip('Redis is not installed here');

describe.each(carriers)('two processes over %s', (name, servers) => {
  test('an answer and its title reach all devices of their user, and no other user', async ({ skip }) => {
    needs(name, skip);
    const { first, second } = servers();
    const [ada, bob] = [await first.signUp(), await first.signUp()];
    const [phone, stranger] = [await arrive(first, ada.tokens.accessToken), await arrive(first, bob.tokens.accessToken)];
    const overheard = record(stranger);
    const answer = next(phone, 'chat_response');
    const title = next(phone, 'generate_title_response');
    const { client_id, archive_id, message } = await ask(second, ada);
    expect(await answer).toMatchObject({
      chat_id: client_id,
      chat_status: 'ai-responce',
      ai_response: `You asked: ${message}`,
      chat: { id: client_id, position: 1 },
    });
    expect(await title).toMatchObject({ archive_id, title: message });
    const own = await ask(first, bob);
    await vi.waitFor(() => expect(overheard).toMatchObject([{ chat_id: own.client_id }, { archive_id: own.archive_id }]));
  });

  test('the end of a session ends its socket at the other process', async ({ skip }) => {
    needs(name, skip);
    const { first, second } = servers();
    const ada = await first.signUp();
    const left = gone(await arrive(first, ada.tokens.accessToken));
    const answer = await second.post('/auth/logout/', { refreshToken: ada.tokens.refreshToken }, { authorization: ada.authorization });
    expect(answer.status).toBe(200);
    expect(await left).toBe('io server disconnect');
  });

  test('"stop" at the other process ends the call of the analyst', async ({ skip }) => {
    needs(name, skip);
    const { first, second } = servers();
    const ada = await first.signUp();
    const phone = await arrive(first, ada.tokens.accessToken);
    const asked = new Promise<AbortSignal>((resolve) => {
      analyst.respond = (_, { signal }) => {
        resolve(signal);
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      };
    });
    const question = questionOf(ada.user.id);
    await send(phone, question);
    const signal = await asked;
    analyst.reset();
    const ended = new Promise((resolve) => signal.addEventListener('abort', resolve));
    const stop = { method: 'POST', headers: { authorization: ada.authorization } };
    expect((await fetch(`${second.url}/api/chat/${question.client_id}/stop`, stop)).status).toBe(200);
    await ended;
  });

  test.for([
    ['ends', (to: TcpProxy) => to.refuse()],
    ['drops all packets', (to: TcpProxy) => to.freeze()],
  ] as const)('a listener whose connection %s comes back and makes its sockets reload', async ([, disturb], { skip }) => {
    needs(name, skip);
    const { first, second, toFirst } = servers();
    const ada = await first.signUp();
    const phone = await arrive(first, ada.tokens.accessToken);
    const heard = record(phone);
    disturb(toFirst);
    const { client_id, archive_id } = await ask(second, ada);
    const missed = next(phone, 'missed');
    await toFirst.heal();
    await missed;
    expect(heard).toEqual([]);
    const { data } = await (
      await fetch(`${first.url}/api/archive/${archive_id}/chats`, { headers: { authorization: ada.authorization } })
    ).json();
    expect(data).toMatchObject([{ id: client_id, chat_status: 'ai-responce' }]);
    const answer = next(phone, 'chat_response');
    const later = await ask(second, ada);
    expect(await answer).toMatchObject({ chat_id: later.client_id });
  });
});

test('so does a listener that PostgreSQL ends', async () => {
  const ada = await here.signUp();
  const phone = await arrive(here, ada.tokens.accessToken);
  const missed = next(phone, 'missed');
  await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tidemark listener'");
  await missed;
  const answer = next(phone, 'chat_response');
  await ask(there, ada);
  await answer;
});

test('an answer is heard once, although Redis has sent it and its reply is lost', async ({ skip }) => {
  needs('Redis', skip);
  const [first, second] = byRedis as [TestServer, TestServer];
  const ada = await first.signUp();
  const phone = await arrive(second, ada.tokens.accessToken);
  const heard = vi.fn();
  phone.on('chat_response', ({ chat_id }) => heard(chat_id));
  redisProxy?.loseNext(/^:\d/);
  const { client_id } = await ask(first, ada);
  const later = await ask(first, ada);
  await vi.waitFor(() => expect(heard).toHaveBeenCalledWith(later.client_id), { timeout: 30_000 });
  expect(heard.mock.calls.flat()).toEqual([client_id, later.client_id]);
});

/** How often each event is timed. Its median counts, because other programs share the machine. */
const ROUNDS = 7;

/** Returns the time between two ends of waiting, ms. */
async function apart(...waits: [Promise<unknown>, Promise<unknown>]): Promise<number> {
  const [one, other] = await Promise.all(waits.map((wait) => wait.then(() => performance.now())));
  return Math.abs((one ?? Number.NaN) - (other ?? Number.NaN));
}

test.for(carriers)('two devices at two processes see the same event within a second over %s', async ([name, servers], { skip }) => {
  needs(name, skip);
  const { first, second } = servers();
  const delays: Record<'answer' | 'title' | 'notification' | 'session', number[]> = {
    answer: [],
    title: [],
    notification: [],
    session: [],
  };
  for (let round = 0; round < ROUNDS; round++) {
    const { user, tokens, authorization } = await first.signUp();
    const [far, near] = [await arrive(first, tokens.accessToken), await arrive(second, tokens.accessToken)];
    const between = (event: 'chat_response' | 'generate_title_response' | 'notification') => apart(next(far, event), next(near, event));
    const [answer, title] = [between('chat_response'), between('generate_title_response')];
    await send(near, questionOf(user.id));
    delays.answer.push(await answer);
    delays.title.push(await title);
    const notification = between('notification');
    await second.post('/auth/login/', { email: user.email, password: PASSWORD });
    delays.notification.push(await notification);
    const ended = apart(gone(far), gone(near));
    await second.post('/auth/logout/', { refreshToken: tokens.refreshToken }, { authorization });
    delays.session.push(await ended);
  }
  const texts = Object.entries(delays).map(
    ([event, each]) => `${event} ${median(each).toFixed(1)} (at most ${Math.max(...each).toFixed(1)})`,
  );
  console.log(`Between two devices over ${name}, median of ${ROUNDS}, ms: ${texts.join(', ')}`);
  for (const [event, each] of Object.entries(delays)) expect(median(each), event).toBeLessThan(SECOND);
});

test('a process that lost changes makes the sockets of the others reload', async () => {
  const ada = await here.signUp();
  const missed = next(await arrive(here, ada.tokens.accessToken), 'missed');
  await notify(JSON.stringify({ from: randomUUID(), kind: 'gap' }));
  await missed;
});

test('a notification of a process that trades reaches both devices of its user', async () => {
  const ada = await here.signUp();
  const [botId = ''] = await plantBots(here.db, 1, { now: Date.now(), status: 'STOPPED', secretsKey: here.config.secretsKey });
  await here.db.update(bots).set({ userId: ada.user.id }).where(eq(bots.id, botId));
  const devices = [await arrive(here, ada.tokens.accessToken), await arrive(there, ada.tokens.accessToken)];
  const told = devices.map((device) => next(device, 'notification'));
  await here.db.update(bots).set({ status: 'ERROR' }).where(eq(bots.id, botId));
  await sendCommand(trading.dataDir, { command: 'halt', user: ada.user.id });
  const [onPhone, onLaptop] = await Promise.all(told);
  expect(onPhone).toMatchObject({ kind: 'bot', notification_text: expect.stringContaining('halted') });
  expect(onLaptop).toEqual(onPhone);
});

test('a socket whose session ended unnoticed hears no answer that comes later', async () => {
  const ada = await here.signUp();
  const login = await here.post('/auth/login/', { email: ada.user.email, password: PASSWORD });
  const other = { ...ada, tokens: (await login.json()).data };
  const doomed = await arrive(there, ada.tokens.accessToken);
  const heard = record(doomed);
  const left = gone(doomed);
  const sessionId = JSON.parse(Buffer.from(ada.tokens.accessToken.split('.')[1] ?? '', 'base64url').toString()).sid;
  await here.db.update(sessions).set({ revokedAt: new Date() }).where(eq(sessions.id, sessionId));
  await ask(there, other);
  await left;
  expect(heard).toEqual([]);
});

test('messages of other programs change nothing', async () => {
  const [ada, bob] = [await here.signUp(), await here.signUp()];
  const [phone, stranger] = [await arrive(here, ada.tokens.accessToken), await arrive(here, bob.tokens.accessToken)];
  const sessionId = JSON.parse(Buffer.from(ada.tokens.accessToken.split('.')[1] ?? '', 'base64url').toString()).sid;
  const titled = next(phone, 'generate_title_response');
  const { client_id, archive_id } = await ask(there, ada);
  await titled;
  const [heard, overheard] = [record(phone), record(stranger)];
  const change = (fields: object) => JSON.stringify({ from: randomUUID(), userId: ada.user.id, kind: 'answer', id: client_id, ...fields });
  await notify(
    '',
    'null',
    '[]',
    '{',
    'x'.repeat(7_900),
    '['.repeat(7_900),
    change({ kind: 'everything' }),
    change({ from: 7 }),
    change({ id: "'; drop table chats; --" }),
    change({ id: { $ne: 1 } }),
    change({ padding: 'x'.repeat(7_000) }),
    change({ userId: bob.user.id }),
    change({ userId: bob.user.id, kind: 'title', id: archive_id }),
    change({ id: randomUUID() }),
    change({ kind: 'notification', id: client_id }),
    change({ kind: 'ended-session', id: sessionId }),
    change({ kind: 'ended-session', id: randomUUID() }),
  );
  const later = next(phone, 'generate_title_response');
  const asked = await ask(there, ada);
  await later;
  expect(heard).toMatchObject([{ chat_id: asked.client_id }, { archive_id: asked.archive_id }]);
  expect(overheard).toEqual([]);
  expect(phone.connected).toBe(true);
});

test('what processes tell each other is short and has ids alone, whatever users write', async () => {
  const told: string[] = [];
  const hear = ({ payload = '' }: pg.Notification) => void told.push(payload);
  admin.on('notification', hear);
  onTestFinished(async () => {
    admin.off('notification', hear);
    await admin.query(`unlisten ${CHANNEL}`);
  });
  await admin.query(`listen ${CHANNEL}`);
  const ada = await here.signUp();
  const phone = await arrive(here, ada.tokens.accessToken);
  analyst.respond = async () => 'A private answer. '.repeat(1_000);
  onTestFinished(analyst.reset);
  const long = 'private'.repeat(2_000);
  for (const id of [{ client_id: long }, { archive_id: long }]) await send(phone, questionOf(ada.user.id, id));
  const answered = next(phone, 'chat_response', ({ chat_status }) => chat_status === 'ai-responce');
  const question = questionOf(ada.user.id, { message: '🌊 private '.repeat(300) });
  await send(phone, question);
  await answered;
  const { authorization, tokens } = ada;
  await here.post('/auth/logout/', { refreshToken: tokens.refreshToken }, { authorization });

  const ofAda = () => told.filter((text) => text.includes(ada.user.id)).map((text) => JSON.parse(text));
  const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
  const number = expect.any(Number);
  const change = (kind: string, about: unknown) => ({ from: id, number, userId: ada.user.id, kind, id: about });
  const all = [change('answer', question.client_id), change('title', question.archive_id), change('ended-session', id)];
  await vi.waitFor(() => expect(ofAda()).toEqual(expect.arrayContaining(all)), { timeout: 30_000 });
  for (const sent of ofAda()) expect(sent).toEqual(change(sent.kind, id));
  // PostgreSQL takes less than 8,000 bytes.
  expect(Math.max(...told.map((text) => Buffer.byteLength(text)))).toBeLessThan(8_000);
  expect(told.join()).not.toContain('private');
});
