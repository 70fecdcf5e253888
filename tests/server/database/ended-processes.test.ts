import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net';
import { eq, isNotNull, sql } from 'drizzle-orm';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ChatMessage } from '#contract/chat/chat.ts';
import { bots } from '#server/db/schema/bots.ts';
import { charges, chats } from '#server/db/schema/chat.ts';
import { leases } from '#server/db/schema/operations.ts';
import { bigUser, slowReader } from '#tests/support/accounts/big-export.ts';
import { plantBots } from '#tests/support/bots/bot-rig.ts';
import { drone, type ModelServer, startModelServer } from '#tests/support/chat/openai.ts';
import { isNightly } from '#tests/support/nightly.ts';
import { type RunningApp, startApp } from '#tests/support/processes/app.ts';
import { buildServer } from '#tests/support/processes/operator.ts';
import { onPostgres, sharedEnv } from '#tests/support/server/on-postgres.ts';
import { connect, gone, questionOf, send, type TestSocket } from '#tests/support/server/realtime.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

/** Its model never ends an answer. */
let ending: RunningApp;
/** Its analyst answers at once. */
let other: TestServer;
let model: ModelServer;
/** A mail server that accepts connections and says nothing. */
let mail: Server;
const mailing: Socket[] = [];
let ada: SignedUp;

/** From SIGTERM to the exit of a process with the default settings, ms. */
const EXIT_LIMIT = 20_000;

onPostgres(
  async ({ url }) => {
    const [started] = await Promise.all([startModelServer(), buildServer()]);
    model = started;
    model.plays = [drone];
    mail = createServer((socket) => void mailing.push(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
    await once(mail, 'listening');
    other = await startServer({ env: { ...sharedEnv(url), ROLE: 'web' } });
    ada = await other.signUp();
    await plantBots(other.db, 20, { now: Date.now(), secretsKey: sharedEnv(url).SECRETS_KEY });
    const smtp = { SMTP_URL: `smtp://127.0.0.1:${(mail.address() as AddressInfo).port}`, MAIL_FROM: 'no-reply@example.com' };
    ending = await startApp({ ...sharedEnv(url), ...smtp, AI_BASE_URL: model.url, AI_MODEL: 'slow', LOG_LEVEL: 'fatal' });
  },
  async () => {
    await ending?.remove();
    await other?.close();
    await model?.close();
    for (const socket of mailing) socket.destroy();
    mail?.close();
  },
);

/** Asks the process that will end, and waits until its model works on the answer. */
async function ask(): Promise<{ question: ChatMessage; socket: TestSocket }> {
  const before = model.requests.length;
  const socket = await connect(ending.url, ada.tokens.accessToken);
  const question = questionOf(ada.user.id);
  await send(socket, question);
  await vi.waitFor(() => expect(model.requests).toHaveLength(before + 1));
  return { question, socket };
}

async function answerTo({ client_id }: ChatMessage) {
  const { aiResponse, failed } = chats;
  return (await other.db.select({ aiResponse, failed }).from(chats).where(eq(chats.id, client_id)))[0];
}

/** Returns the number of the claim that holds a question; null for none. */
async function claimOf({ client_id }: ChatMessage): Promise<number | null> {
  const { version, claimedUntil } = chats;
  const [row] = await other.db.select({ version, claimedUntil }).from(chats).where(eq(chats.id, client_id));
  return row?.claimedUntil ? row.version : null;
}

/** Sends the process that will end half a request, starts an export there, and stops reading it half-way. */
async function stall(): Promise<void> {
  const half = createConnection(Number(new URL(ending.url).port), 'localhost', () =>
    half.write('POST /api/auth/login/ HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{'),
  );
  half.on('error', () => undefined);
  onTestFinished(() => void half.destroy());
  const reader = await bigUser({ ...other, config: { ...other.config, dataDir: ending.dataDir } });
  const download = await slowReader(ending, reader);
  onTestFinished(() => void download.destroy());
}

/** Waits for the other process's answer, and checks that it is charged once. */
async function answeredByOther(question: ChatMessage, timeout: number): Promise<void> {
  const answer = `You asked: ${question.message}`;
  await vi.waitFor(async () => expect(await answerTo(question)).toEqual({ aiResponse: answer, failed: false }), { timeout });
  const charged = await other.db.select({ state: charges.state }).from(charges).where(eq(charges.chatId, question.client_id));
  expect(charged).toEqual([{ state: 'spent' }]);
}

test('a process that gets SIGTERM says so, moves its sockets, hands over its answers and leases, and exits with 0 within 20 s', async () => {
  const { db } = other;
  await vi.waitFor(async () => expect(await db.$count(bots, sql`${bots.status} = 'RUNNING'`)).toBe(20), { timeout: 30_000 });
  const { question, socket } = await ask();
  await stall();
  const readiness = async () => (await fetch(`${ending.url}/readyz`)).json();
  expect(await readiness()).toEqual({ status: 200 });
  const moved = gone(socket);
  const claim = await claimOf(question);
  expect(claim).toBeGreaterThan(0);

  const told = performance.now();
  const exit = ending.stop('SIGTERM').then((code) => ({ code, took: performance.now() - told }));
  await vi.waitFor(async () => expect(await readiness()).toMatchObject({ status: 503, detail: { failed: ['draining'] } }), {
    interval: 10,
  });
  const profile = `${ending.url}/api/auth/user/${ada.user.id}/`;
  const answer = await fetch(profile, { headers: { authorization: ada.authorization } });
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
  const forgot = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ email: ada.user.email }) };
  expect((await fetch(`${ending.url}/api/auth/forgot-password/`, forgot)).status).toBe(200);
  await vi.waitFor(() => expect(mailing.length).toBeGreaterThan(0), { timeout: 10_000 });
  expect(await moved).toBe('io server disconnect');
  const { code, took } = await exit;
  expect(code).toBe(0);
  expect(took).toBeLessThan(EXIT_LIMIT);
  expect(await claimOf(question)).not.toBe(claim);

  await answeredByOther(question, 17_000); // before a claim that was not dropped would expire
  expect(await db.$count(bots, isNotNull(bots.leaseOwner))).toBe(0);
  const given = await db.select({ until: leases.until }).from(leases);
  expect(given.length).toBeGreaterThan(0);
  for (const { until } of given) expect(until).toEqual(new Date(0));
});

test.runIf(isNightly)('a process that is killed keeps its claim for 20 seconds at most, and then another one answers', async () => {
  await ending.start();
  const { question } = await ask();
  await ending.stop('SIGKILL');
  await answeredByOther(question, 28_000);
});
