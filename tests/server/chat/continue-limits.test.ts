import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { archiveAnswer } from '#contract/chat/archive.ts';
import { MAX_MESSAGES_TO_IMPORT } from '#contract/chat/import-chats.ts';
import { createBuiltInAnalyst } from '#server/ports/analyst/built-in-analyst.ts';
import { createOpenAiAnalyst } from '#server/ports/analyst/openai/openai-analyst.ts';
import { withStandIn } from '#server/ports/analyst/with-stand-in.ts';
import { reading } from '#tests/support/charts/chart-reading.ts';
import { type Chatter, chatterOf } from '#tests/support/chat/chatter.ts';
import { free, hang, type ModelServer, type Play, say, startModelServer } from '#tests/support/chat/openai.ts';
import { scriptedAnalyst } from '#tests/support/chat/scripted-analyst.ts';
import { stillMarket } from '#tests/support/market/market.ts';
import { next, questionOf, send } from '#tests/support/server/realtime.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

const open: Chatter[] = [];
async function someone(server: TestServer, known?: Chatter): Promise<Chatter> {
  const chatter = await chatterOf(server, known?.who);
  open.push(chatter);
  return chatter;
}
afterAll(() => {
  for (const { socket } of open) socket.disconnect();
});

/** Asks questions in a new chat. */
async function converse(chatter: Chatter, questions: readonly string[]): Promise<{ archiveId: string; ids: string[] }> {
  const archiveId = randomUUID();
  const ids: string[] = [];
  for (const message of questions) ids.push((await chatter.ask({ archive_id: archiveId, message })).question.client_id);
  return { archiveId, ids };
}
const post = (chatter: Chatter, archiveId: string, chat_id: unknown, id: unknown = randomUUID()) =>
  chatter.call(`/archive/${archiveId}/continue`, { method: 'POST', body: { id, chat_id } });
const code = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code];
async function continued(chatter: Chatter, archiveId: string, chat_id = '', id: string = randomUUID()) {
  const response = await post(chatter, archiveId, chat_id, id);
  expect(response.status).toBe(201);
  const archive = archiveAnswer.parse(await response.json()).data;
  return { archive, messages: await chatter.chats(archive.id) };
}
const texts = (messages: readonly { user_message: string }[]) => messages.map(({ user_message }) => user_message);
const chatCount = async (chatter: Chatter) =>
  ((await (await chatter.call(`/user/${chatter.who.user.id}/archives/`)).json()) as { data: unknown[] }).data.length;

describe('continuing a chat', () => {
  const analyst = scriptedAnalyst();
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ analyst });
  });
  afterAll(() => server.close());
  afterEach(() => analyst.reset());

  test('from a failed or stopped question is refused, and from a later answer leaves both out', async () => {
    const ann = await someone(server);
    const { archiveId } = await converse(ann, ['Staking?']);
    analyst.respond = async () => {
      throw new Error('upstream is down');
    };
    const { question: failed } = await ann.ask({ archive_id: archiveId, message: 'Failing?' });
    analyst.respond = () => new Promise(() => undefined);
    const stopped = questionOf(ann.who.user.id, { archive_id: archiveId, message: 'Stopped?' });
    await send(ann.socket, stopped);
    expect((await ann.call(`/chat/${stopped.client_id}/stop`, { method: 'POST' })).status).toBe(200);
    analyst.reset();
    const { question: last } = await ann.ask({ archive_id: archiveId, message: 'And now?' });
    expect(texts(await ann.chats(archiveId))).toEqual(['Staking?', 'Failing?', 'Stopped?', 'And now?']);

    for (const { client_id } of [failed, stopped]) expect(await code(await post(ann, archiveId, client_id))).toEqual([409, 'not_answered']);
    expect(await chatCount(ann)).toBe(1);
    const { messages } = await continued(ann, archiveId, last.client_id);
    expect(messages.map(({ user_message, position }) => [user_message, position])).toEqual([
      ['Staking?', 1],
      ['And now?', 2],
    ]);

    // Once a failed question is answered, its chat goes on from it.
    await ann.ask({ archive_id: archiveId, message: 'Failing?', chat_id: failed.client_id });
    expect(texts((await continued(ann, archiveId, failed.client_id)).messages)).toEqual(['Staking?', 'Failing?']);
    expect(await ann.chats(archiveId)).toHaveLength(4);
  });

  test('costs nothing where no question is left, and the copy is asked nothing for free', async () => {
    const ann = await someone(server);
    const { archiveId, ids } = await converse(ann, ['One?']);
    for (let [left = 0] = await ann.left(); left > 0; left--) await ann.ask({ archive_id: archiveId, message: `${left}?` });
    const { archive, messages } = await continued(ann, archiveId, ids[0]);
    expect(texts(messages)).toEqual(['One?']);
    expect((await ann.left())[0]).toBe(0);
    expect(await ann.send({ archive_id: archive.id, message: 'Two?' })).toMatchObject({ error: { status: 402 } });
    expect(await ann.chats(archive.id)).toHaveLength(1);
  });

  test('twice at once from two devices with one id, of two answers, begins one chat with one of them', async () => {
    const ann = await someone(server);
    const phone = await someone(server, ann);
    const [one, other] = [await converse(ann, ['One?', 'More?']), await converse(ann, ['Other?'])];
    for (let round = 0; round < 5; round++) {
      const id = randomUUID();
      const answers = await Promise.all([
        continued(ann, one.archiveId, one.ids[1], id),
        continued(phone, other.archiveId, other.ids[0], id),
      ]);
      expect(answers.map(({ archive }) => archive)).toEqual([answers[0]?.archive, answers[0]?.archive]);
      expect([['One?', 'More?'], ['Other?']]).toContainEqual(texts(await ann.chats(id)));
    }
    expect(await chatCount(ann)).toBe(2 + 5);
  });

  test('with the id of a chat that exists changes neither chat', async () => {
    const ann = await someone(server);
    const [one, other] = [await converse(ann, ['One?']), await converse(ann, ['Other?'])];
    for (const id of [one.archiveId, other.archiveId]) expect((await continued(ann, one.archiveId, one.ids[0], id)).archive.id).toBe(id);
    expect([texts(await ann.chats(one.archiveId)), texts(await ann.chats(other.archiveId))]).toEqual([['One?'], ['Other?']]);
    // Another user's chat has its id for that user alone.
    const bob = await someone(server);
    const own = await converse(bob, ['Mine?']);
    expect(texts((await continued(bob, own.archiveId, own.ids[0], one.archiveId)).messages)).toEqual(['Mine?']);
    expect(texts(await ann.chats(one.archiveId))).toEqual(['One?']);
  });

  test('that is deleted, before or at the same time, begins none or a whole one', async () => {
    const ann = await someone(server);
    for (let round = 0; round < 4; round++) {
      const { archiveId, ids } = await converse(ann, ['One?', 'Two?']);
      const id = randomUUID();
      const [response] = await Promise.all([post(ann, archiveId, ids[1], id), ann.call(`/archive/${archiveId}`, { method: 'DELETE' })]);
      expect([201, 404]).toContain(response.status);
      const copy = await ann.call(`/archive/${id}/chats`);
      if (response.status === 201) expect(texts(await ann.chats(id))).toEqual(['One?', 'Two?']);
      else expect(copy.status).toBe(404);
      expect(await code(await post(ann, archiveId, ids[0]))).toEqual([404, 'not_found']);
    }
  });

  test('beyond the messages of an account is refused, and begins none', async () => {
    const ann = await someone(server);
    const { archiveId, ids } = await converse(ann, ['One?', 'Two?']);
    await server.db.execute(sql`insert into chats (user_id, id, archive_id, position, user_message, ai_response, folded, answered_at)
      select ${ann.who.user.id}::uuid, gen_random_uuid(), ${archiveId}::uuid, n + 2, '', '', '', now() from generate_series(1, ${MAX_MESSAGES_TO_IMPORT - 3}::int) n`);
    expect(await code(await post(ann, archiveId, ids[1]))).toEqual([409, 'too_many_messages']);
    expect(await chatCount(ann)).toBe(1);
    expect(texts((await continued(ann, archiveId, ids[0])).messages)).toEqual(['One?']);
    expect(await code(await post(ann, archiveId, ids[0]))).toEqual([409, 'too_many_messages']);
  });

  test.each([8_000, 100_000])('with %i characters for an id is refused', async (length) => {
    const ann = await someone(server);
    const { archiveId, ids } = await converse(ann, ['One?']);
    const long = 'a'.repeat(length);
    const answers = [
      await post(ann, archiveId, ids[0], long),
      await post(ann, archiveId, long),
      await post(ann, long, ids[0]),
      await post(ann, archiveId, { [long]: long }, [long]),
    ];
    for (const { status } of answers) expect(status >= 400 && status < 500, String(status)).toBe(true);
    const more = await ann.call(`/archive/${archiveId}/continue`, {
      method: 'POST',
      body: { id: randomUUID(), chat_id: ids[0], more: long },
    });
    expect([201, 400, 413]).toContain(more.status);
    expect(texts(await ann.chats(archiveId))).toEqual(['One?']);
  });
});

describe('continuing a chat whose last answer a model still writes', () => {
  let model: ModelServer;
  let server: TestServer;
  beforeAll(async () => {
    model = await startModelServer();
    const ports = { market: stillMarket(), readPicture: async () => reading };
    const endpoint = { baseUrl: model.url, key: undefined, model: 'local', patience: 50_000 };
    const analyst = withStandIn({
      model: createOpenAiAnalyst({ endpoint, reserve: free, ...ports }),
      builtIn: createBuiltInAnalyst(ports),
      patience: 50_000,
      report: () => undefined,
    });
    server = await startServer({ analyst });
  });
  afterAll(async () => {
    await server.close();
    await model.close();
  });

  test('copies what is answered, and leaves the answer alone', async () => {
    const ann = await someone(server);
    model.plays = [say('Staking locks coins.')];
    const { archiveId, ids } = await converse(ann, ['What is staking?']);
    const begun = new Promise<Parameters<Play>[0]>((resolve) => {
      const begin: Play = (response, request) => {
        hang('Rewards ')(response, request);
        resolve(response);
      };
      model.plays = [begin, say('In the copy.')];
    });
    const waiting = questionOf(ann.who.user.id, { archive_id: archiveId, message: 'What does it pay?' });
    const answered = next(ann.socket, 'chat_response', ({ chat_id }) => chat_id === waiting.client_id);
    await send(ann.socket, waiting);
    const response = await begun;

    expect(await code(await post(ann, archiveId, waiting.client_id))).toEqual([409, 'not_answered']);
    const { archive, messages } = await continued(ann, archiveId, ids[0]);
    expect(texts(messages)).toEqual(['What is staking?']);
    expect(messages[0]).toMatchObject({ chat_status: 'ai-responce', ai_response: expect.stringMatching(/^Staking locks coins\./) });

    response.end('data: {"choices":[{"index":0,"delta":{"content":"vary."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
    expect((await answered).ai_response).toMatch(/^Rewards vary\./);
    expect(texts(await ann.chats(archive.id))).toEqual(['What is staking?']);
    expect((await ann.ask({ archive_id: archive.id, message: 'Which coins?' })).response.ai_response).toMatch(/^In the copy\./);
    expect(texts(await ann.chats(archiveId))).toEqual(['What is staking?', 'What does it pay?']);
    expect(texts((await continued(ann, archiveId, waiting.client_id)).messages)).toEqual(['What is staking?', 'What does it pay?']);
  });
});
