import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ChatResponse } from '#contract/chat/chat.ts';
import { HOUR } from '#domain/clock.ts';
import { createAfterResponse } from '#server/after-response.ts';
import type { Db } from '#server/db/open.ts';
import { openDb } from '#server/db/open.ts';
import { charges, chats as chatRows } from '#server/db/schema/chat.ts';
import { users } from '#server/db/schema/users.ts';
import { createAllowances } from '#server/modules/allowances/service.ts';
import { createArchives } from '#server/modules/archives/service.ts';
import { FAILED_ANSWER } from '#server/modules/chat/answer-question.ts';
import { MAX_UNANSWERED } from '#server/modules/chat/ask-question.ts';
import { ChatEvents } from '#server/modules/chat/events.ts';
import { createImages } from '#server/modules/chat/images.ts';
import { createConversations } from '#server/modules/chat/service.ts';
import { blackPng } from '#tests/support/charts/pictures.ts';
import { type Chatter, chatterOf } from '#tests/support/chat/chatter.ts';
import { scriptedAnalyst } from '#tests/support/chat/scripted-analyst.ts';
import { createGate } from '#tests/support/create-gate.ts';
import { startPostgres } from '#tests/support/processes/postgres.ts';
import { blobsOf } from '#tests/support/server/blobs.ts';
import { questionOf } from '#tests/support/server/realtime.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

const analyst = scriptedAnalyst();
const png = blackPng(20, 10);
let server: TestServer;
const open: Chatter[] = [];

beforeAll(async () => {
  server = await startServer({ analyst, planOf: async () => 'PREMIUM', answerPoll: HOUR, env: { PICTURES_AT_ONCE: '2' } });
});
afterEach(() => {
  for (const { socket } of open.splice(0)) socket.disconnect();
  analyst.reset();
});
afterAll(() => server.close());

async function arrive(): Promise<Chatter> {
  const chatter = await chatterOf(server);
  open.push(chatter);
  return chatter;
}

const stateOf = async (id: string) => {
  const [row] = await server.db.select().from(chatRows).where(eq(chatRows.id, id));
  return row && { startedAt: row.startedAt, claimedUntil: row.claimedUntil, answeredAt: row.answeredAt };
};

/** Creates another chat service on a database, as another process would. */
function processOn(db: Db, options: { answerTimeout?: number; alone?: boolean; clock?: () => number } = {}) {
  const { clock = Date.now, alone = false, ...rest } = options;
  const mine = scriptedAnalyst();
  const events = new ChatEvents();
  const answers: ChatResponse[] = [];
  events.on('response', (_, response) => answers.push(response));
  const chats = createConversations({
    db,
    archives: createArchives({ db, clock }),
    allowances: createAllowances({ clock, planOf: async () => 'PREMIUM' }),
    images: createImages({ db, clock, blobs: blobsOf(server), afterResponse: createAfterResponse(console.error) }),
    ownOf: () => ({ plan: async () => undefined, bots: async () => undefined }),
    analyst: mine,
    events,
    clock,
    log: { warn: () => {}, error: () => {} },
    alone,
    ...rest,
  });
  return { chats, analyst: mine, answers };
}

describe('many pictures', () => {
  test('of six users delay no text question, and one user’s pictures are read one at a time', async () => {
    const gate = createGate();
    analyst.respond = async (question, { picture }) => (picture ? gate.passed.then(() => 'a chart') : `text: ${question}`);
    const flooders = await Promise.all(Array.from({ length: 6 }, arrive));
    const sent: { chatter: Chatter; id: string; archive_id: string }[] = [];
    for (const chatter of flooders) {
      const chat_image = await chatter.upload(png);
      for (let count = 0; count < 5; count++) {
        const question = { client_id: randomUUID(), archive_id: randomUUID(), chat_image, message: `picture ${count}` };
        expect(await chatter.send(question)).toHaveProperty('chat');
        sent.push({ chatter, id: question.client_id, archive_id: question.archive_id });
      }
    }
    const asked = () => analyst.asked.filter(({ picture }) => picture).map(({ question }) => question);
    await expect.poll(asked).toHaveLength(2);
    const victim = await arrive();
    expect((await victim.ask({ message: 'hello' })).response.ai_response).toBe('text: hello');
    // The first user's second picture waits, although a slot is free.
    expect(asked()).toEqual(['picture 0', 'picture 0']);
    gate.open();
    for (const { chatter, archive_id } of sent)
      await expect.poll(async () => (await chatter.chats(archive_id)).map(({ ai_response }) => ai_response)).toEqual(['a chart']);
  });

  test('of one user delay another user’s picture by one of them', async () => {
    const gates = new Map<string, ReturnType<typeof createGate>>();
    analyst.respond = async (question) => {
      const gate = createGate();
      gates.set(question, gate);
      return gate.passed.then(() => 'read');
    };
    const [many, other, late] = [await arrive(), await arrive(), await arrive()];
    const images = { many: await many.upload(png), other: await other.upload(png), late: await late.upload(png) };
    for (const name of ['m1', 'm2', 'm3', 'm4']) await many.send({ chat_image: images.many, message: name });
    await other.send({ chat_image: images.other, message: 'o1' });
    await late.send({ chat_image: images.late, message: 'l1' });
    await expect.poll(() => [...gates.keys()].sort()).toEqual(['m1', 'o1']);
    gates.get('m1')?.open();
    await expect.poll(() => [...gates.keys()].length).toBe(3);
    gates.get('o1')?.open();
    await expect.poll(() => [...gates.keys()]).toContain('l1');
    expect([...gates.keys()]).not.toContain('m3');
    for (const name of ['m2', 'l1', 'm3', 'm4']) {
      await expect.poll(() => gates.has(name)).toBe(true);
      gates.get(name)?.open();
    }
  });

  test('of an archive and its text questions are answered in order', async () => {
    const chatter = await arrive();
    const chat_image = await chatter.upload(png);
    const archive_id = randomUUID();
    for (const message of ['1', '2', '3', '4']) {
      await chatter.send({ archive_id, message, chat_image: Number(message) % 2 ? chat_image : null });
    }
    await expect.poll(() => analyst.asked.map(({ question }) => question).join('')).toBe('1234');
  });
});

describe('unanswered questions', () => {
  test('are twenty of a user at most: the next is refused for now, and taken after an answer', async () => {
    const gate = createGate();
    analyst.respond = async (question) => (question === 'first' ? gate.passed.then(() => 'done') : new Promise(() => {}));
    const chatter = await arrive();
    const archive_id = randomUUID();
    const first = { client_id: randomUUID(), archive_id, message: 'first' };
    await chatter.send(first);
    for (let count = 2; count <= MAX_UNANSWERED; count++) await chatter.send({ archive_id, message: `question ${count}` });
    const next = { client_id: randomUUID(), archive_id: randomUUID(), message: 'one more' };
    expect(await chatter.send(next)).toEqual({
      error: {
        status: 429,
        code: 'too_many_unanswered',
        message: 'You have 20 questions without an answer. This one is sent after the next answer.',
      },
    });
    expect((await chatter.call(`/archive/${next.archive_id}/chats`)).status).toBe(404);
    // Repeating or editing a stored question does not count again.
    expect(await chatter.send(first)).toHaveProperty('chat');
    const other = await arrive();
    expect(await other.send()).toHaveProperty('chat');

    gate.open();
    await expect.poll(async () => (await chatter.chats(archive_id))[0]?.ai_response).toBe('done');
    expect(await chatter.send(next)).toHaveProperty('chat');
    const edit = { archive_id, chat_id: first.client_id, message: 'edited' };
    expect(await chatter.send(edit)).toMatchObject({ error: { code: 'too_many_unanswered' } });
    expect(await chatter.send({ ...next, client_id: randomUUID(), chat_id: next.client_id })).toHaveProperty('chat');
  });

  test('are not more when they are sent at once', async () => {
    analyst.respond = () => new Promise(() => {});
    const chatter = await arrive();
    const acks = await Promise.all(Array.from({ length: MAX_UNANSWERED + 5 }, () => chatter.send()));
    expect(acks.filter((ack) => 'chat' in ack)).toHaveLength(MAX_UNANSWERED);
  });
});

describe('a question that waits for a slot', () => {
  test('has no claim that could run out, and no time-out before its work begins', async () => {
    const chatter = await arrive();
    const mine = processOn(server.db, { answerTimeout: 5000 });
    mine.analyst.respond = (question) => (question === 'endless' ? new Promise(() => {}) : Promise.resolve('in time'));
    const { id: userId } = chatter.who.user;
    const pictures = [await chatter.upload(png), await chatter.upload(png)];
    const ask = async (message: string) => {
      const question = questionOf(userId, { message, chat_image: pictures.pop() ?? null });
      await mine.chats.ask(userId, question);
      return question.client_id;
    };
    const endless = await ask('endless');
    await expect.poll(() => mine.analyst.asked.length).toBe(1);
    const queued = await ask('queued');
    expect(await stateOf(endless)).toMatchObject({ startedAt: expect.any(Date), claimedUntil: expect.any(Date) });
    expect(await stateOf(queued)).toEqual({ startedAt: null, claimedUntil: null, answeredAt: null });
    await expect
      .poll(() => mine.answers.map(({ chat_id, error, ai_response }) => [chat_id, error ?? ai_response]))
      .toEqual([
        [endless, FAILED_ANSWER],
        [queued, 'in time'],
      ]);
    await mine.chats.close();
  });

  test('is answered by another process that has a slot, and by that one alone', async () => {
    const chatter = await arrive();
    const { id: userId } = chatter.who.user;
    const [busy, free] = [processOn(server.db), processOn(server.db)];
    const gate = createGate();
    busy.analyst.respond = async () => gate.passed.then(() => 'slow');
    for (const message of ['slow', 'queued'])
      await busy.chats.ask(userId, questionOf(userId, { message, chat_image: await chatter.upload(png) }));
    await expect.poll(() => busy.analyst.asked.length).toBe(1);
    await free.chats.start();
    await expect.poll(() => free.answers.map(({ user_message }) => user_message)).toContain('queued');
    gate.open();
    await expect.poll(() => busy.answers.map(({ user_message }) => user_message)).toEqual(['slow']);
    await Promise.all([busy.chats.close(), free.chats.close()]);
    expect(busy.analyst.asked.map(({ question }) => question)).toEqual(['slow']);
  });

  test('is answered before a question of another kind that its conversation gets through another process', async () => {
    const chatter = await arrive();
    const { id: userId } = chatter.who.user;
    const [busy, free] = [processOn(server.db), processOn(server.db)];
    const gate = createGate();
    busy.analyst.respond = async () => gate.passed.then(() => 'slow');
    const archive_id = randomUUID();
    const pictures = [questionOf(userId, { message: 'slow' }), questionOf(userId, { message: 'queued', archive_id })];
    for (const question of pictures) await busy.chats.ask(userId, { ...question, chat_image: await chatter.upload(png) });
    await expect.poll(() => busy.analyst.asked.length).toBe(1);
    await free.chats.ask(userId, questionOf(userId, { message: 'text', archive_id }));
    await expect.poll(() => free.answers.map(({ user_message }) => user_message)).toEqual(['queued', 'text']);
    gate.open();
    await Promise.all([busy.chats.close(), free.chats.close()]);
    expect(busy.analyst.asked.map(({ question }) => question)).toEqual(['slow']);
  });

  test('costs nothing when it is stopped, unlike one that a killed process had begun', async () => {
    const chatter = await arrive();
    const { id: userId } = chatter.who.user;
    const killed = processOn(server.db);
    killed.analyst.respond = () => new Promise(() => {});
    const archive_id = randomUUID();
    const [begun, queued] = [questionOf(userId, { archive_id }), questionOf(userId, { archive_id })];
    for (const question of [begun, queued]) await killed.chats.ask(userId, question);
    await expect.poll(() => killed.analyst.asked.length).toBe(1);
    const later = processOn(server.db);
    for (const { client_id } of [begun, queued]) await server.db.transaction((tx) => later.chats.stop(tx, userId, client_id));
    const states = await server.db.select({ id: charges.id, state: charges.state }).from(charges).where(eq(charges.userId, userId));
    expect(new Map(states.map(({ id, state }) => [id, state]))).toEqual(
      new Map([
        [begun.client_id, 'spent'],
        [queued.client_id, 'returned'],
      ]),
    );
  });
});

test('a process goes on with what its conversation got through another process during an answer', async () => {
  const { id: userId } = (await arrive()).who.user;
  const [first, second] = [processOn(server.db), processOn(server.db)];
  const gate = createGate();
  first.analyst.respond = async () => gate.passed.then(() => 'answer');
  const archive_id = randomUUID();
  await first.chats.ask(userId, questionOf(userId, { message: 'one', archive_id }));
  await expect.poll(() => first.analyst.asked.length).toBe(1);
  await second.chats.ask(userId, questionOf(userId, { message: 'two', archive_id }));
  await second.chats.close();
  gate.open();
  await expect.poll(() => first.answers.map(({ user_message }) => user_message)).toEqual(['one', 'two']);
  await first.chats.close();
  expect(second.analyst.asked).toEqual([]);
});

test('two processes on PostgreSQL answer each question of many users once, in the order of its archive', async ({ skip }) => {
  const postgres = await startPostgres();
  if (!postgres) return skip('PostgreSQL is not installed here');
  const bases = await Promise.all([1, 2].map(() => openDb({ databaseUrl: postgres.url, dataDir: '' })));
  const pair = bases.map(({ db }) => processOn(db));
  const [base, other] = bases;
  if (!base || !other) throw new Error('There are two');
  const people = await base.db
    .insert(users)
    .values(['a', 'b', 'c', 'd'].map((name) => ({ email: `${name}@example.com`, firstName: name, lastName: name, passwordHash: '' })))
    .returning({ id: users.id });
  const archives = people.flatMap(({ id }) => [1, 2].map(() => ({ userId: id, archive_id: randomUUID() })));
  const questions = archives.flatMap(({ userId, archive_id }) =>
    Array.from({ length: 5 }, (_, place) => questionOf(userId, { archive_id, message: `${archive_id} ${place}` })),
  );
  for (const question of questions) await Promise.all(pair.map(({ chats }) => chats.ask(question.user_id, question)));
  const waiting = () => base.db.$count(chatRows, eq(chatRows.aiResponse, ''));
  await expect.poll(waiting, { timeout: 60_000 }).toBe(0);
  await Promise.all(pair.map(({ chats }) => chats.close()));
  const asked = pair.flatMap(({ analyst: { asked } }) => asked.map(({ question }) => question));
  expect(asked.toSorted()).toEqual(questions.map(({ message }) => message).toSorted());
  for (const { asked } of pair.map((each) => each.analyst)) {
    for (const { archive_id } of archives) {
      const places = asked.map(({ question }) => question).filter((question) => question.startsWith(archive_id));
      expect(places).toEqual(places.toSorted());
    }
  }
  await Promise.all(bases.map(({ close }) => close()));
  await postgres.stop();
});
