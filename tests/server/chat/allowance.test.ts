import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ChatResponse } from '#contract/chat/chat.ts';
import { DAY } from '#domain/clock.ts';
import { charges } from '#server/db/schema/chat.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { createAllowances } from '#server/modules/allowances/service.ts';
import { PictureUnreadable } from '#server/pictures/picture-reader.ts';
import { blackPng } from '#tests/support/charts/pictures.ts';
import { type Chatter, chatterOf } from '#tests/support/chat/chatter.ts';
import { scriptedAnalyst } from '#tests/support/chat/scripted-analyst.ts';
import { createGate } from '#tests/support/create-gate.ts';
import { next } from '#tests/support/server/realtime.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const analyst = scriptedAnalyst();
let plan: 'FREE' | 'PREMIUM' = 'FREE';
/** Mid-month, so that the month does not change during a test. */
const midMonth = Date.UTC(2026, 4, 15) - Date.now();
let server: TestServer;
const open: Chatter[] = [];

beforeAll(async () => {
  server = await startServer({ analyst, planOf: async () => plan, clock: () => Date.now() + midMonth });
});
afterEach(() => {
  for (const { socket } of open.splice(0)) socket.disconnect();
  analyst.reset();
  plan = 'FREE';
});
afterAll(() => server.close());

async function arrive(who?: SignedUp): Promise<Chatter> {
  const chatter = await chatterOf(server, who);
  open.push(chatter);
  return chatter;
}

/** Creates a user with `count` answered questions. */
async function arriveAfter(count: number): Promise<Chatter> {
  const chatter = await arrive();
  for (let asked = 0; asked < count; asked++) await chatter.ask();
  return chatter;
}

const chargesOf = ({ who }: Chatter, chatId: string) =>
  server.db
    .select({ id: charges.id, state: charges.state, kind: charges.kind })
    .from(charges)
    .where(and(eq(charges.userId, who.user.id), eq(charges.chatId, chatId)));

describe('the price of a question', () => {
  test('one general question, from the moment it is stored', async () => {
    const chatter = await arrive();
    expect(await chatter.left()).toEqual([10, 3]);
    const gate = createGate();
    analyst.respond = async () => gate.passed.then(() => 'answer');
    const asked = chatter.ask();
    await expect.poll(chatter.left).toEqual([9, 3]);
    gate.open();
    const { question } = await asked;
    expect(await chatter.left()).toEqual([9, 3]);
    expect(await chargesOf(chatter, question.client_id)).toEqual([{ id: question.client_id, state: 'spent', kind: 'question' }]);
  });

  test('with a picture one chart analysis', async () => {
    const chatter = await arrive();
    await chatter.ask({ chat_image: await chatter.upload(blackPng(20, 10)) });
    expect(await chatter.left()).toEqual([10, 2]);
  });

  test('nothing for three pictures a day without a chart; then each counts, and every answer says so', async () => {
    const chatter = await arrive();
    analyst.respond = async () => ({ text: 'This is no chart.', free: true });
    const askPicture = async () => (await chatter.ask({ chat_image: await chatter.upload(blackPng(20, 10)) })).response.ai_response;
    expect(await askPicture()).toBe('This is no chart.\n\nThis picture is not counted. 2 more without a readable chart are free today.');
    expect(await askPicture()).toContain('1 more without a readable chart is free today.');
    expect(await askPicture()).toContain('It was the last free one today');
    expect(await chatter.left()).toEqual([10, 3]);
    expect(await askPicture()).toContain('This picture counts as a chart analysis.');
    expect(await chatter.left()).toEqual([10, 2]);
  });

  test('nothing for an unreadable picture three times a day; it is read once, and then each counts', async () => {
    const chatter = await arrive();
    analyst.respond = async () => {
      throw new PictureUnreadable('broken');
    };
    const askPicture = async () => (await chatter.ask({ chat_image: await chatter.upload(blackPng(20, 10)) })).response;
    for (let asked = 0; asked < 3; asked++) expect(await askPicture()).toMatchObject({ chat: { failed: true } });
    expect(analyst.asked).toHaveLength(3);
    expect(await chatter.left()).toEqual([10, 3]);
    expect((await askPicture()).error).toContain('This picture counts as a chart analysis.');
    expect(await chatter.left()).toEqual([10, 2]);
  });

  test('nothing for a picture without a chart where the plan has no limit, and nothing is said about it', async () => {
    plan = 'PREMIUM';
    const chatter = await arrive();
    analyst.respond = async () => ({ text: 'This is no chart.', free: true });
    const { response } = await chatter.ask({ chat_image: await chatter.upload(blackPng(20, 10)) });
    expect(response.ai_response).toBe('This is no chart.');
  });

  test('nothing when it was sent before', async () => {
    const chatter = await arrive();
    const { question } = await chatter.ask();
    await Promise.all([chatter.send(question), chatter.send(question)]);
    expect(await chatter.left()).toEqual([9, 3]);
  });

  test('nothing when the analyst fails twice; the retry that succeeds is charged once', async () => {
    const chatter = await arrive();
    analyst.respond = async () => {
      throw new Error('upstream is down');
    };
    const { question, response } = await chatter.ask();
    expect(response).toMatchObject({ chat: { failed: true } });
    expect(await chatter.left()).toEqual([10, 3]);

    analyst.reset();
    const retry = await chatter.ask({ ...question, client_id: randomUUID(), chat_id: question.client_id });
    expect(retry.response).toMatchObject({ chat: { failed: false } });
    await chatter.send(retry.question);
    expect(await chatter.left()).toEqual([9, 3]);
    expect((await chargesOf(chatter, question.client_id)).map(({ state }) => state).sort()).toEqual(['returned', 'spent']);
  });

  test('an edit is charged on its own, beside the answer it ends; a question that has not begun costs nothing', async () => {
    const chatter = await arrive();
    const { question } = await chatter.ask();
    const base = { archive_id: question.archive_id, chat_id: question.client_id };
    await chatter.ask({ ...base, message: 'edited' });
    expect(await chatter.left()).toEqual([8, 3]);

    const gate = createGate();
    analyst.respond = async (text) => (text === 'slow' ? gate.passed.then(() => 'too late') : 'quick');
    await chatter.send({ ...base, message: 'slow' });
    await expect.poll(() => analyst.asked.length).toBe(3);
    expect(await chatter.left()).toEqual([7, 3]);
    const queued = { archive_id: question.archive_id, client_id: randomUUID() };
    await chatter.send({ ...queued, message: 'queued' });
    await chatter.send({ ...queued, chat_id: queued.client_id, client_id: randomUUID(), message: 'queued, edited' });
    expect(await chatter.left()).toEqual([6, 3]);
    expect((await chatter.ask({ ...base, message: 'quick' })).response).toMatchObject({ ai_response: 'quick' });
    gate.open();
    expect(await chatter.left()).toEqual([5, 3]);
    expect((await chargesOf(chatter, question.client_id)).map(({ state }) => state)).toEqual(['spent', 'spent', 'spent', 'spent']);
    await expect
      .poll(async () => (await chargesOf(chatter, queued.client_id)).map(({ state }) => state).sort())
      .toEqual(['returned', 'spent']);
  });

  test('stays spent when its conversation is deleted, as does one whose answer has begun; a queued one is given back', async () => {
    const chatter = await arrive();
    const { question } = await chatter.ask();
    analyst.respond = () => new Promise(() => {});
    for (const message of ['begun', 'queued']) await chatter.send({ archive_id: question.archive_id, message });
    await expect.poll(() => analyst.asked.length).toBe(2);
    expect(await chatter.left()).toEqual([7, 3]);
    expect((await chatter.call(`/archive/${question.archive_id}`, { method: 'DELETE' })).status).toBe(200);
    expect(await chatter.left()).toEqual([8, 3]);
    expect(await chatter.send(question)).toMatchObject({ error: { status: 404, code: 'not_found' } });
    expect(await chatter.left()).toEqual([8, 3]);
  });
});

test('free pictures reset with the day, UTC', async () => {
  const { who } = await arrive();
  const userId = who.user.id;
  let now = Date.UTC(2026, 4, 15, 23, 59, 59, 999);
  const allowances = createAllowances({ clock: () => now, planOf: async () => plan });
  const endOne = () =>
    server.db.transaction(async (tx) => {
      const used = await allowances.freePicturesUsed(tx, userId);
      const chatId = randomUUID();
      await allowances.reserve(tx, { userId, id: chatId, chatId, kind: 'chart' });
      await allowances.endFreePicture(tx, userId, chatId);
      return used;
    });
  const left = async () => (await allowances.leftOf(server.db, userId)).extraChatAnalysis;
  expect([await endOne(), await endOne(), await endOne(), await endOne(), await endOne()]).toEqual([0, 1, 2, 3, 3]);
  expect(await left()).toBe(1);
  now += 1;
  expect(await endOne()).toBe(0);
  expect(await left()).toBe(1);
});

describe('a spent allowance', () => {
  test('refuses the question, says so as the specification has it, and stores nothing', async () => {
    const chatter = await arriveAfter(10);
    const elsewhere = await arrive(chatter.who);
    const overheard: ChatResponse[] = [];
    elsewhere.socket.on('chat_response', (response) => overheard.push(response));
    const told = next(chatter.socket, 'chat_response');
    const archive_id = randomUUID();
    const client_id = randomUUID();
    const ack = await chatter.send({ archive_id, client_id, message: 'one more' });
    expect(ack).toMatchObject({ error: { status: 402, code: 'subscription-ended' } });
    expect(await told).toEqual({
      chat_id: client_id,
      archive_id,
      chat_status: 'message',
      user_message: 'one more',
      message: 'You have used all 10 general questions of this month.',
      subscription_error: 'subscription-ended',
    });
    expect((await chatter.call(`/archive/${archive_id}/chats`)).status).toBe(404);
    expect(analyst.asked).toHaveLength(10);
    expect(await chatter.left()).toEqual([0, 3]);

    // Pictures have their own allowance, and later questions are accepted.
    const picture = await chatter.ask({ chat_image: await chatter.upload(blackPng(20, 10)) });
    expect(await chatter.left()).toEqual([0, 2]);
    await expect.poll(() => overheard.map(({ chat_id }) => chat_id)).toEqual([picture.question.client_id]);

    // The same message is accepted once there is an allowance for it.
    plan = 'PREMIUM';
    await chatter.ask({ archive_id, client_id, message: 'one more' });
    const endsAt = new Date(Date.now() + midMonth + DAY);
    const paid = { plan, store: 'test', endsAt, renews: false, verifiedAt: new Date(), told: plan } as const;
    await server.db.insert(subscriptions).values({ userId: chatter.who.user.id, ...paid });
    expect(await chatter.left()).toEqual([-1, -1]);
  });

  test('refuses an edit, and the row stays as it was', async () => {
    const chatter = await arriveAfter(9);
    const { question, response } = await chatter.ask();
    const told = next(chatter.socket, 'chat_response');
    const edit = { archive_id: question.archive_id, chat_id: question.client_id, message: 'edited' };
    expect(await chatter.send(edit)).toMatchObject({ error: { code: 'subscription-ended' } });
    expect(await told).toMatchObject({ chat_id: question.client_id, subscription_error: 'subscription-ended' });
    expect(await chatter.chats(question.archive_id)).toEqual([response.chat]);
  });

  test('is not overdrawn by questions sent at once', async () => {
    const chatter = await arriveAfter(8);
    const acks = await Promise.all(Array.from({ length: 6 }, () => chatter.send()));
    expect(acks.filter((ack) => 'chat' in ack)).toHaveLength(2);
    expect(await chatter.left()).toEqual([0, 3]);
  });

  test('resets with the calendar month, UTC', async () => {
    const { who } = await arrive();
    const userId = who.user.id;
    let now = Date.UTC(2026, 0, 31, 23, 59, 59, 999);
    const allowances = createAllowances({ clock: () => now, planOf: async () => plan });
    const reserve = () =>
      server.db.transaction((tx) => allowances.reserve(tx, { userId, id: randomUUID(), chatId: randomUUID(), kind: 'chart' }));
    const left = async () => (await allowances.leftOf(server.db, userId)).extraChatAnalysis;
    for (let asked = 0; asked < 3; asked++) await reserve();
    await expect(reserve()).rejects.toMatchObject({ status: 402, code: 'subscription-ended' });
    expect(await left()).toBe(0);
    now += 1;
    expect(await left()).toBe(3);
    await reserve();
    expect(await left()).toBe(2);
  });
});
