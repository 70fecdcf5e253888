import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { conversationAnswer, type Message, oneMessageAnswer } from '#contract/chat/chat.ts';
import { idempotency } from '#server/db/schema/requests.ts';
import { FAILED_ANSWER } from '#server/modules/chat/answer-question.ts';
import { type Chatter, chatterOf } from '#tests/support/chat/chatter.ts';
import { scriptedAnalyst } from '#tests/support/chat/scripted-analyst.ts';
import { createGate } from '#tests/support/create-gate.ts';
import { next } from '#tests/support/server/realtime.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

const analyst = scriptedAnalyst();
const lines: string[] = [];
let server: TestServer;
let ada: Chatter;

beforeAll(async () => {
  server = await startServer({ analyst, env: { LOG_LEVEL: 'info' }, logTo: { write: (line) => void lines.push(line) } });
});
beforeEach(async () => {
  ada = await chatterOf(server);
});
afterEach(() => {
  ada.socket.disconnect();
  analyst.reset();
});
afterAll(() => server.close());

const post = (path: string, headers: Record<string, string> = {}) => ada.call(path, { method: 'POST', headers });
const stop = async (id: string): Promise<Message> => oneMessageAnswer.parse(await (await post(`/chat/${id}/stop`)).json()).data;
const rate = (id: string, rating: unknown, headers: Record<string, string> = {}) =>
  ada.call(`/chat/${id}/rating`, { method: 'PUT', body: { rating }, headers });
const read = async (id: string): Promise<Message> => oneMessageAnswer.parse(await (await ada.call(`/chat/${id}/`)).json()).data;

/** Asks a question that stays unanswered until the gate opens or the signal aborts it. */
async function askSlowly() {
  const gate = createGate();
  analyst.respond = async () => gate.passed.then(() => 'too late');
  const question = { client_id: randomUUID(), archive_id: randomUUID(), message: 'slow' };
  await ada.send(question);
  await expect.poll(() => analyst.asked.length).toBe(1);
  return { ...question, gate };
}

test('an answer that the database refuses fails at once, and is not asked for again', async () => {
  analyst.respond = async () => ({ text: 'The tide is high.', coins: [2 ** 53] }); // greater than the column's numbers
  const { question } = await ada.ask({ message: 'How is the tide?' });
  expect((await ada.chats(question.archive_id))[0]).toMatchObject({ ai_response: FAILED_ANSWER, failed: true });
  expect(analyst.asked).toHaveLength(1);
});

describe('stopping', () => {
  test('ends a question whose answer has begun, which counts, tells every device and leaves no answer', async () => {
    const { client_id, archive_id, gate } = await askSlowly();
    const elsewhere = await chatterOf(server, ada.who);
    const told = next(elsewhere.socket, 'chat_response');
    const stopped = await stop(client_id);
    expect(stopped).toMatchObject({ ai_response: '', chat_status: 'ai-responce', stopped: true, counted: true, failed: false });
    expect(await told).toEqual({
      chat_id: client_id,
      archive_id,
      chat_status: 'ai-responce',
      user_message: 'slow',
      ai_response: '',
      chat: stopped,
    });
    elsewhere.socket.disconnect();
    expect(analyst.asked[0]?.signal.aborted).toBe(true);
    expect(await ada.left()).toEqual([9, 3]);

    gate.open();
    analyst.reset();
    await ada.ask({ archive_id, message: 'next' });
    expect(analyst.asked).toMatchObject([{ question: 'next', history: [] }]);
    expect(await ada.chats(archive_id)).toMatchObject([{ stopped: true, ai_response: '' }, { ai_response: 'You asked: next' }]);
  });

  test('of a question that waits for another is free and leaves the other alone', async () => {
    const { client_id, archive_id, gate } = await askSlowly();
    const waiting = randomUUID();
    await ada.send({ client_id: waiting, archive_id, message: 'waiting' });
    expect(await ada.left()).toEqual([8, 3]);
    expect(await stop(waiting)).toMatchObject({ stopped: true, counted: false });
    expect(await ada.left()).toEqual([9, 3]);
    const answered = next(ada.socket, 'chat_response', ({ chat_id }) => chat_id === client_id);
    gate.open();
    expect(await answered).toMatchObject({ ai_response: 'too late' });
    expect(analyst.asked.map(({ question }) => question)).toEqual(['slow']);
    expect(await ada.left()).toEqual([9, 3]);
  });

  test('after the answer changes nothing', async () => {
    const { question, response } = await ada.ask();
    expect(await stop(question.client_id)).toEqual(response.chat);
    expect(await ada.left()).toEqual([9, 3]);
  });

  test('sent twice does not stop a question asked in between', async () => {
    const { client_id, archive_id } = await askSlowly();
    const headers = { 'idempotency-key': randomUUID() };
    const first = await post(`/chat/${client_id}/stop`, headers);
    analyst.reset();
    await ada.ask({ archive_id, chat_id: client_id, message: 'again' });
    const second = await post(`/chat/${client_id}/stop`, headers);
    expect(await second.json()).toEqual(await first.json());
    expect(await read(client_id)).toMatchObject({ ai_response: 'You asked: again', stopped: false });
  });
});

describe('rating', () => {
  test('under one key is answered from the row when the answer is too large to be stored', async () => {
    analyst.respond = async () => 'long '.repeat(2000);
    const { question } = await ada.ask();
    const headers = { 'idempotency-key': randomUUID() };
    const path = `/chat/${question.client_id}/rating`;
    const rateOnce = async () => (await ada.call(path, { method: 'PUT', body: { rating: 'up' }, headers })).json();
    const first = await rateOnce();
    expect(await rateOnce()).toEqual(first);
    const [stored] = await server.db.select().from(idempotency).where(eq(idempotency.key, headers['idempotency-key']));
    expect(stored).toMatchObject({ status: 200, answer: {}, answerHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  test('is kept, changed and taken back', async () => {
    const { question } = await ada.ask();
    const id = question.client_id;
    for (const rating of ['up', 'up', 'down', null]) {
      const response = await rate(id, rating);
      expect(oneMessageAnswer.parse(await response.json()).data).toMatchObject({ id, rating });
      expect(await read(id)).toMatchObject({ rating });
    }
    expect((await rate(id, 'sideways')).status).toBe(400);
  });

  test('belongs to an answer: none is kept without one, nor for the next one', async () => {
    const { client_id, archive_id } = await askSlowly();
    expect((await rate(client_id, 'up')).status).toBe(200);
    expect(await read(client_id)).toMatchObject({ rating: null });
    await stop(client_id);
    await rate(client_id, 'up');
    expect(await read(client_id)).toMatchObject({ rating: null });

    analyst.reset();
    const again = { archive_id, chat_id: client_id, message: 'again' };
    await ada.ask(again);
    await rate(client_id, 'up');
    expect((await ada.ask(again)).response.chat).toMatchObject({ rating: null });
  });
});

describe('reading', () => {
  test('one chat, with and without the slash', async () => {
    const { question, response } = await ada.ask();
    expect(await read(question.client_id)).toEqual(response.chat);
    expect((await ada.call(`/chat/${question.client_id}`)).status).toBe(200);
  });

  test('a conversation by and by, from its end', async () => {
    const archive_id = randomUUID();
    for (const message of ['1', '2', '3', '4', '5']) await ada.ask({ archive_id, message });
    const page = async (query: string) => {
      const { data, total } = conversationAnswer.parse(await (await ada.call(`/archive/${archive_id}/chats${query}`)).json());
      expect(total).toBe(5);
      return data.map(({ user_message }) => user_message).join('');
    };
    expect(await page('')).toBe('12345');
    expect(await page('?limit=2')).toBe('45');
    expect(await page('?limit=2&before=4')).toBe('23');
    expect(await page('?limit=2&before=2')).toBe('1');
    expect(await page('?limit=2&before=1')).toBe('');
    expect(await page('?before=3')).toBe('12');
    for (const query of ['?limit=x', '?limit=-1', '?before=1.5', '?limit=1&limit=2']) {
      expect((await ada.call(`/archive/${archive_id}/chats${query}`)).status).toBe(400);
    }
  });

  test("404 for another user's chat and what is none, whatever is wanted of it", async () => {
    const bob = await chatterOf(server);
    const { question } = await bob.ask();
    bob.socket.disconnect();
    for (const id of [question.client_id, randomUUID(), 'x', '0']) {
      const answers = [await ada.call(`/chat/${id}/`), await post(`/chat/${id}/stop`), await rate(id, 'up')];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    }
  });
});

test('a very long answer is cut, between characters', async () => {
  analyst.respond = async () => `${'x'.repeat(99_999)}${'😀'.repeat(10_000)}`;
  const { response } = await ada.ask();
  expect(response.ai_response).toBe(`${'x'.repeat(99_999)}…`);
});

test('a closing server does not wait for the analyst forever, and does not record its silence as a failure', {
  timeout: 60_000,
}, async () => {
  const short = await startServer({ analyst });
  const eve = await chatterOf(short);
  analyst.respond = () => new Promise(() => {});
  await eve.send();
  await expect.poll(() => analyst.asked.length).toBe(1);
  await short.close();
  expect(analyst.asked.map(({ signal }) => signal.aborted)).toEqual([true]);
});

test('the log reports failures without quoting users', async () => {
  analyst.respond = async () => {
    throw new Error('upstream is down');
  };
  await ada.ask({ message: 'my secret holdings' });
  const text = lines.join('');
  expect(text).toContain('no answer from the analyst');
  expect(text).not.toContain('my secret holdings');
});

describe('what an answer offers', () => {
  const coin = { id: 1, name: 'Coin 1', symbol: 'C1' };
  const alert = { kind: 'above', coin, price: 5, level_name: null, note: '', rearms: false, expires_at: null, paused: false } as const;

  test('is stored with it and does nothing by itself; another answer replaces it', async () => {
    analyst.respond = async () => ({ text: 'Set it?', choices: ['Coin 1 price'], action: { kind: 'alert', alert } });
    const question = { client_id: randomUUID(), archive_id: randomUUID(), message: 'set an alert for C1 at 5' };
    const answered = next(ada.socket, 'chat_response');
    await ada.send(question);
    expect((await answered).chat).toMatchObject({ choices: ['Coin 1 price'], action: { kind: 'alert', alert } });
    expect(await read(question.client_id)).toMatchObject({ choices: ['Coin 1 price'], action: { kind: 'alert', alert } });
    expect(await (await ada.call(`/alerts/${ada.who.user.id}`)).json()).toMatchObject({ data: [] });
    analyst.respond = async () => 'Nothing to offer';
    const again = next(ada.socket, 'chat_response');
    await ada.send({ ...question, client_id: randomUUID(), chat_id: question.client_id });
    expect((await again).chat).toMatchObject({ choices: [], action: null });
  });

  test('of another shape is left out, and the conversation stays readable', async () => {
    analyst.respond = async () => ({ text: 'Odd', choices: ['x'.repeat(5000)], action: { kind: 'sell' } as never });
    const question = { client_id: randomUUID(), archive_id: randomUUID(), message: 'odd' };
    const answered = next(ada.socket, 'chat_response');
    await ada.send(question);
    expect((await answered).chat).toMatchObject({ ai_response: 'Odd', choices: [], action: null });
  });
});
