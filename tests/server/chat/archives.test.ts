import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { archiveAnswer, archivesAnswer } from '#contract/chat/archive.ts';
import { conversationAnswer } from '#contract/chat/chat.ts';
import { chats } from '#server/db/schema/chat.ts';
import { scriptedAnalyst } from '#tests/support/chat/scripted-analyst.ts';
import { createGate } from '#tests/support/create-gate.ts';
import { connect, next, questionOf, send, type TestSocket } from '#tests/support/server/realtime.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const analyst = scriptedAnalyst();
let server: TestServer;
let ann: SignedUp;
let bob: SignedUp;

beforeAll(async () => {
  server = await startServer({ analyst, planOf: async () => 'PREMIUM' });
  [ann, bob] = [await server.signUp(), await server.signUp()];
});
afterAll(() => server.close());

const call = (who: SignedUp | null, path: string, init: { method?: string; body?: unknown; headers?: Record<string, string> } = {}) =>
  fetch(`${server.url}/api${path}`, {
    method: init.method ?? 'GET',
    headers: {
      ...(who && { authorization: who.authorization }),
      ...(init.body !== undefined && { 'content-type': 'application/json' }),
      ...init.headers,
    },
    ...(init.body !== undefined && { body: JSON.stringify(init.body) }),
  });

const create = (who: SignedUp | null, body: unknown, headers: Record<string, string> = {}) =>
  call(who, '/chat/archives/', { method: 'POST', body, headers });

const created = async (who: SignedUp, body: object = {}, headers: Record<string, string> = {}) => {
  const response = await create(who, { userId: who.user.id, ...body }, headers);
  expect(response.status).toBe(201);
  return archiveAnswer.parse(await response.json()).data;
};

const found = async (who: SignedUp, path: string) => {
  const response = await call(who, `/user/${who.user.id}/archives${path}`);
  expect(response.status).toBe(200);
  return archivesAnswer.parse(await response.json()).data;
};

const code = async (response: Response) => ((await response.json()) as { code: string }).code;

async function converse(who: SignedUp, message: string): Promise<string> {
  const socket: TestSocket = await connect(server.url, who.tokens.accessToken);
  const question = questionOf(who.user.id, { message });
  const titled = next(socket, 'generate_title_response', (title) => title.archive_id === question.archive_id);
  await send(socket, question);
  await titled;
  socket.disconnect();
  return question.archive_id;
}

describe('creating', () => {
  test('answers 201 with id, empty title and time', async () => {
    const archive = await created(ann);
    expect(archive.archive_title).toBe('');
    expect(new Date(archive.created_at).toISOString()).toBe(archive.created_at);
    expect((await found(ann, '/')).map(({ id }) => id)).toContain(archive.id);
  });

  test("takes the client's id, and the same id again is the same archive", async () => {
    const id = randomUUID();
    const first = await created(ann, { id });
    const again = await created(ann, { id });
    expect(first.id).toBe(id);
    expect(again).toEqual(first);
    expect((await found(ann, '/')).filter((archive) => archive.id === id)).toHaveLength(1);
  });

  test("an id another user has taken is free, and stays that user's own archive", async () => {
    const id = randomUUID();
    await created(ann, { id });
    await created(bob, { id });
    expect((await found(bob, '/')).filter((archive) => archive.id === id)).toHaveLength(1);
  });

  test('one Idempotency-Key creates one archive', async () => {
    const before = (await found(ann, '/')).length;
    const headers = { 'idempotency-key': randomUUID() };
    const [first, second] = await Promise.all([created(ann, {}, headers), created(ann, {}, headers)]);
    expect(second).toEqual(first);
    expect(await found(ann, '/')).toHaveLength(before + 1);
  });

  test('refuses another user, a wrong id and a missing token', async () => {
    const foreign = await create(ann, { userId: bob.user.id });
    expect([foreign.status, await code(foreign)]).toEqual([404, 'not_found']);
    const wrong = await create(ann, { userId: ann.user.id, id: 'x' });
    expect([wrong.status, await code(wrong)]).toEqual([400, 'validation']);
    const anonymous = await create(null, { userId: ann.user.id });
    expect([anonymous.status, await code(anonymous)]).toEqual([401, 'unauthorized']);
  });
});

describe('searching', () => {
  let carla: SignedUp;
  let cafe: string;
  let doge: string;

  beforeAll(async () => {
    carla = await server.signUp();
    analyst.respond = async (question) => (question.startsWith('Café') ? 'It trades at 100% of its Peak_Value.' : 'Nothing to add.');
    cafe = await converse(carla, 'Café coin, is it alive?');
    doge = await converse(carla, `${'Tell me about DOGE please. '.repeat(3)}Does a Shiba bark at the end?`);
    analyst.reset();
  });

  test.each(['', '/', '/%20', '/%20%20'])('%j finds everything, newest first', async (path) => {
    expect((await found(carla, path)).map(({ id }) => id)).toEqual([doge, cafe]);
  });

  test.each([
    ['a title', 'café coin'],
    ['other case and no accents', 'CAFE'],
    ['accents where there are none', 'çoîn, ïs'],
    ['decomposed accents', 'Cafe\u0301'],
    ['the answer', 'peak_value'],
    ['spaces around it', '  alive '],
  ])('finds by %s', async (_, text) => {
    expect((await found(carla, `/${encodeURIComponent(text)}`)).map(({ id }) => id)).toEqual([cafe]);
  });

  test('finds in the text of a question beyond its title', async () => {
    expect((await found(carla, '/shiba%20bark')).map(({ id }) => id)).toEqual([doge]);
  });

  test.each(['%', '100%', '100_', 'peak%value', '\\', 'a/b', '?', "'; drop table archives; --"])(
    '%j is text, not a pattern',
    async (text) => {
      const contains = `Café coin, is it alive? It trades at 100% of its Peak_Value. Does a Shiba bark at the end?`
        .toLowerCase()
        .includes(text);
      expect((await found(carla, `/${encodeURIComponent(text)}`)).length > 0).toBe(contains);
    },
  );

  test('finds nothing of another user', async () => {
    expect(await found(bob, '/shiba')).toEqual([]);
    const response = await call(bob, `/user/${carla.user.id}/archives/shiba`);
    expect([response.status, await code(response)]).toEqual([404, 'not_found']);
  });
});

describe('the chats of an archive', () => {
  test('come in order', async () => {
    const socket = await connect(server.url, ann.tokens.accessToken);
    const { archive_id } = questionOf(ann.user.id);
    const messages = ['one', 'two', 'three'].map((message) => questionOf(ann.user.id, { archive_id, message }));
    const last = next(socket, 'chat_response', (response) => response.chat_id === messages[2]?.client_id);
    for (const message of messages) await send(socket, message);
    await last;
    socket.disconnect();

    const response = await call(ann, `/archive/${archive_id}/chats`);
    expect(response.status).toBe(200);
    const chats = conversationAnswer.parse(await response.json()).data;
    expect(chats.map((chat) => chat.user_message)).toEqual(['one', 'two', 'three']);
    expect(chats.map((chat) => chat.ai_response)).toEqual(['You asked: one', 'You asked: two', 'You asked: three']);
    expect(chats.map((chat) => chat.chat_status)).toEqual(['ai-responce', 'ai-responce', 'ai-responce']);
    expect(chats.map((chat) => chat.position)).toEqual([1, 2, 3]);
  });

  test('are empty for a new archive, and answer with and without the slash', async () => {
    const { id } = await created(ann);
    for (const slash of ['', '/']) {
      const response = await call(ann, `/archive/${id}/chats${slash}`);
      expect(conversationAnswer.parse(await response.json()).data).toEqual([]);
    }
  });

  test("404 for an unknown archive, another user's, and what is no id", async () => {
    const { id } = await created(bob);
    for (const path of [randomUUID(), id, 'x', '1', '%20', 'a'.repeat(64)]) {
      const response = await call(ann, `/archive/${path}/chats`);
      expect([response.status, await code(response)]).toEqual([404, 'not_found']);
    }
  });

  test('401 without a token', async () => {
    expect((await call(null, `/archive/${randomUUID()}/chats`)).status).toBe(401);
  });
});

describe('renaming', () => {
  const rename = (who: SignedUp, id: string, archiveTitle?: string, headers: Record<string, string> = {}) => {
    const form = new FormData();
    if (archiveTitle !== undefined) form.append('archiveTitle', archiveTitle);
    return fetch(`${server.url}/api/archive/${id}/title`, {
      method: 'PATCH',
      headers: { authorization: who.authorization, ...headers },
      body: form,
    });
  };

  test('answers with the new title, tells the other devices and is found by it', async () => {
    const { id } = await created(ann);
    const socket = await connect(server.url, ann.tokens.accessToken);
    const told = next(socket, 'generate_title_response');
    const response = await rename(ann, id, '  Über alles 🚀 ');
    expect(response.status).toBe(200);
    expect(archiveAnswer.parse(await response.json()).data).toMatchObject({ id, archive_title: 'Über alles 🚀' });
    expect(await told).toEqual({ archive_id: id, title: 'Über alles 🚀', pinned_at: null });
    socket.disconnect();
    expect((await found(ann, '/uber')).map((archive) => archive.id)).toEqual([id]);
  });

  test('gives no title twice, also to answers that come at once', async () => {
    const sam = await server.signUp();
    const ids = await Promise.all(Array.from({ length: 4 }, (_, at) => converse(sam, at === 3 ? 'WHAT IS Stäking?' : 'What is staking?')));
    const titles = (await found(sam, '/')).map(({ archive_title }) => archive_title.toLowerCase().replace('ä', 'a'));
    expect(ids).toHaveLength(4);
    expect(titles.sort()).toEqual(['what is staking?', 'what is staking? (2)', 'what is staking? (3)', 'what is staking? (4)']);

    // A title that no chat has any more is free again, and other users have their own.
    await call(sam, `/archive/${(await found(sam, '/what is staking? (3)'))[0]?.id}`, { method: 'DELETE' });
    await converse(sam, 'What is staking?');
    expect((await found(sam, '/')).map(({ archive_title }) => archive_title)).toContain('What is staking? (3)');
    const long = 'What is the best way to stake some ether';
    await converse(sam, long);
    await converse(sam, long);
    const numbered = (await found(sam, '/best way')).map(({ archive_title }) => archive_title);
    expect(numbered.sort()).toEqual([long, 'What is the best way to stake some… (2)'].sort());
    const eve = await server.signUp();
    await converse(eve, 'What is staking?');
    expect((await found(eve, '/')).map(({ archive_title }) => archive_title)).toEqual(['What is staking?']);
  });

  test('wins over the title that an answer would give', async () => {
    const { id } = await created(ann);
    await rename(ann, id, 'Mine');
    const socket = await connect(server.url, ann.tokens.accessToken);
    const question = questionOf(ann.user.id, { archive_id: id });
    const answered = next(socket, 'chat_response', ({ chat_id }) => chat_id === question.client_id);
    await send(socket, question);
    await answered;
    socket.disconnect();
    expect((await found(ann, '/')).find((archive) => archive.id === id)?.archive_title).toBe('Mine');
  });

  test.each([
    ['nothing', undefined, 'Title is required!'],
    ['blank text', '   ', 'Title is required!'],
    ['too much', 'x'.repeat(121), 'At most 120 characters'],
  ])('%s is refused', async (_, title, message) => {
    const { id } = await created(ann);
    const response = await rename(ann, id, title);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'validation', detail: { fields: { archiveTitle: message } } });
  });

  test('with one key happens once, with one notification', async () => {
    const { id } = await created(ann);
    const socket = await connect(server.url, ann.tokens.accessToken);
    const titles: string[] = [];
    socket.on('generate_title_response', ({ title }) => titles.push(title));
    const headers = { 'idempotency-key': randomUUID() };
    await rename(ann, id, 'First', headers);
    await rename(ann, id, 'Second');
    expect(archiveAnswer.parse(await (await rename(ann, id, 'First', headers)).json()).data.archive_title).toBe('First');
    expect((await found(ann, '/')).find((archive) => archive.id === id)?.archive_title).toBe('Second');
    await rename(ann, id, 'Third');
    await expect.poll(() => titles.at(-1)).toBe('Third');
    socket.disconnect();
    expect(titles).toEqual(['First', 'Second', 'Third']);
  });

  test("404 for another user's archive and what is none", async () => {
    const { id } = await created(bob);
    for (const path of [id, randomUUID(), 'x']) expect((await rename(ann, path, 'Mine')).status).toBe(404);
  });
});

describe('deleting', () => {
  const remove = (who: SignedUp, id: string, headers: Record<string, string> = {}) =>
    call(who, `/archive/${id}`, { method: 'DELETE', headers });

  test('deletes its conversation and keeps the others', async () => {
    const [gone, kept] = [await converse(ann, 'to be deleted'), await converse(ann, 'to be kept')];
    const headers = { 'idempotency-key': randomUUID() };
    for (let sent = 0; sent < 2; sent++) expect((await remove(ann, gone, headers)).status).toBe(200);
    expect((await remove(ann, gone)).status).toBe(404);
    expect((await call(ann, `/archive/${gone}/chats`)).status).toBe(404);
    expect((await found(ann, '/to%20be')).map(({ id }) => id)).toEqual([kept]);
  });

  test('while an answer is underway leaves nothing behind', async () => {
    const gate = createGate();
    const asked: AbortSignal[] = [];
    analyst.respond = async (_, { signal }) => {
      asked.push(signal);
      return gate.passed.then(() => 'too late');
    };
    const socket = await connect(server.url, ann.tokens.accessToken);
    const heard: unknown[] = [];
    socket.on('chat_response', (response) => heard.push(response));
    const question = questionOf(ann.user.id, { message: 'a private question' });
    await send(socket, question);
    await expect.poll(() => asked.length).toBe(1);
    expect((await remove(ann, question.archive_id)).status).toBe(200);
    expect(asked[0]?.aborted).toBe(true);
    gate.open();
    analyst.reset();
    await converse(ann, 'afterwards');
    await expect.poll(() => heard.length).toBe(1);
    socket.disconnect();
    expect(heard).toMatchObject([{ user_message: 'afterwards' }]);
    expect(await found(ann, '/private%20question')).toEqual([]);
    const rows = await server.db.select({ id: chats.id }).from(chats).where(eq(chats.archiveId, question.archive_id));
    expect(rows).toEqual([]);
  });

  test("404 for another user's archive, which stays", async () => {
    const { id } = await created(bob);
    for (const path of [id, randomUUID(), 'x']) expect((await remove(ann, path)).status).toBe(404);
    expect((await found(bob, '/')).map((archive) => archive.id)).toContain(id);
  });
});
