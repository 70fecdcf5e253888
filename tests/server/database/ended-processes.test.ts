import { eq, isNotNull, sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import type { ChatMessage } from '#contract/chat/chat.ts';
import { bots } from '#server/db/schema/bots.ts';
import { charges, chats } from '#server/db/schema/chat.ts';
import { leases } from '#server/db/schema/operations.ts';
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
let ada: SignedUp;

onPostgres(
  async ({ url }) => {
    const [started] = await Promise.all([startModelServer(), buildServer()]);
    model = started;
    model.plays = [drone];
    other = await startServer({ env: { ...sharedEnv(url), ROLE: 'web' } });
    ada = await other.signUp();
    await plantBots(other.db, 20, { now: Date.now(), secretsKey: sharedEnv(url).SECRETS_KEY });
    const settings = { ...sharedEnv(url), DRAIN_SECONDS: '3', AI_BASE_URL: model.url, AI_MODEL: 'slow', LOG_LEVEL: 'fatal' };
    ending = await startApp(settings);
  },
  async () => {
    await ending?.remove();
    await other?.close();
    await model?.close();
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

/** Waits for the other process's answer, and checks that it is charged once. */
async function answeredByOther(question: ChatMessage, timeout: number): Promise<void> {
  const answer = `You asked: ${question.message}`;
  await vi.waitFor(async () => expect(await answerTo(question)).toEqual({ aiResponse: answer, failed: false }), { timeout });
  const charged = await other.db.select({ state: charges.state }).from(charges).where(eq(charges.chatId, question.client_id));
  expect(charged).toEqual([{ state: 'spent' }]);
}

test('a process that gets SIGTERM says so, moves its sockets, hands over its answers and leases, and exits with 0', async () => {
  const { db } = other;
  await vi.waitFor(async () => expect(await db.$count(bots, sql`${bots.status} = 'RUNNING'`)).toBe(20), { timeout: 30_000 });
  const { question, socket } = await ask();
  const readiness = async () => (await fetch(`${ending.url}/readyz`)).json();
  expect(await readiness()).toEqual({ status: 200 });
  const moved = gone(socket);

  const exit = ending.stop('SIGTERM');
  await vi.waitFor(async () => expect(await readiness()).toMatchObject({ status: 503, detail: { failed: ['draining'] } }), {
    interval: 10,
  });
  const profile = `${ending.url}/api/auth/user/${ada.user.id}/`;
  const answer = await fetch(profile, { headers: { authorization: ada.authorization } });
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
  expect(await moved).toBe('io server disconnect');
  expect(await exit).toBe(0);

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
