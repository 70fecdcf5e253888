import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ChatMessage, type ChatResponse, conversationAnswer, type Message } from '#contract/chat/chat.ts';
import { HOUR } from '#domain/clock.ts';
import { createAfterResponse } from '#server/after-response.ts';
import { charges, chats as chatRows } from '#server/db/schema/chat.ts';
import { createAllowances } from '#server/modules/allowances/service.ts';
import { createArchives } from '#server/modules/archives/service.ts';
import { FAILED_ANSWER } from '#server/modules/chat/answer-question.ts';
import { ChatEvents } from '#server/modules/chat/events.ts';
import { createImages } from '#server/modules/chat/images.ts';
import { createConversations } from '#server/modules/chat/service.ts';
import { insertQuestion } from '#server/modules/chat/store.ts';
import { scriptedAnalyst } from '#tests/support/chat/scripted-analyst.ts';
import { createGate } from '#tests/support/create-gate.ts';
import { blobsOf } from '#tests/support/server/blobs.ts';
import { connect, next, questionOf, send, type TestSocket } from '#tests/support/server/realtime.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const analyst = scriptedAnalyst();
const premium = async () => 'PREMIUM' as const;
const quiet = { warn: () => {}, error: () => {} };
let server: TestServer;
let ann: SignedUp;
const open: TestSocket[] = [];

beforeAll(async () => {
  // Its polls would answer what tests leave to other processes.
  server = await startServer({ analyst, answerPoll: HOUR });
  ann = await server.signUp();
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.disconnect();
  analyst.reset();
});
afterAll(() => server.close());

/** The analyst's questions, without their abort signals. */
const heard = () => analyst.asked.map(({ question, history }) => ({ question, history }));

/** Every test has its own user, so that rate limits do not add up. */
async function arrive(who?: SignedUp) {
  const user = who ?? (await server.signUp());
  const socket = await connect(server.url, user.tokens.accessToken);
  open.push(socket);
  return { user, socket };
}

async function chatsOf(who: SignedUp, archiveId: string): Promise<Message[]> {
  const response = await fetch(`${server.url}/api/archive/${archiveId}/chats`, { headers: { authorization: who.authorization } });
  return conversationAnswer.parse(await response.json()).data;
}

const archivesOf = async (who: SignedUp): Promise<{ id: string; archive_title: string }[]> => {
  const response = await fetch(`${server.url}/api/user/${who.user.id}/archives/`, { headers: { authorization: who.authorization } });
  return ((await response.json()) as { data: { id: string; archive_title: string }[] }).data;
};

const answerTo = (socket: TestSocket, chatId: string) => next(socket, 'chat_response', (response) => response.chat_id === chatId);

describe('asking', () => {
  test('over HTTP, for networks that block WebSockets, stores a question once and only for its own user', async () => {
    const { user, socket } = await arrive();
    analyst.respond = async () => 'It is $100.';
    const post = (body: object) =>
      fetch(`${server.url}/api/chat/questions`, {
        method: 'POST',
        headers: { authorization: user.authorization, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const question = questionOf(user.user.id, { message: 'Price of Bitcoin?' });
    const answered = answerTo(socket, question.client_id);
    const first = await post(question);
    expect(first.status).toBe(200);
    expect(await first.json()).toMatchObject({ data: { id: question.client_id, user_message: 'Price of Bitcoin?' } });
    await answered;
    expect((await post(question)).status).toBe(200);
    expect(await chatsOf(user, question.archive_id)).toMatchObject([{ id: question.client_id, ai_response: 'It is $100.' }]);
    expect((await post(questionOf(ann.user.id))).status).toBe(404);
    expect((await post({ ...question, message: 5 })).status).toBe(400);
  });

  test('stores, acknowledges, answers, titles: in that order', async () => {
    const { user, socket } = await arrive();
    const gate = createGate();
    analyst.respond = async () => gate.passed.then(() => 'It is $100.');
    const question = questionOf(user.user.id, { message: '  Price of Bitcoin?  ' });
    const ack = await send(socket, question);
    expect(ack).toMatchObject({
      chat: {
        id: question.client_id,
        archive_id: question.archive_id,
        user_message: 'Price of Bitcoin?',
        ai_response: '',
        chat_status: 'message',
      },
    });
    expect(await chatsOf(user, question.archive_id)).toMatchObject([{ id: question.client_id, ai_response: '', chat_status: 'message' }]);

    const [answer, title] = [answerTo(socket, question.client_id), next(socket, 'generate_title_response')];
    gate.open();
    expect(await answer).toEqual({
      chat_id: question.client_id,
      archive_id: question.archive_id,
      chat_status: 'ai-responce',
      user_message: 'Price of Bitcoin?',
      ai_response: 'It is $100.',
      chat: (await chatsOf(user, question.archive_id))[0],
    });
    expect(await title).toEqual({ archive_id: question.archive_id, title: 'Price of Bitcoin?' });
    expect(await archivesOf(user)).toMatchObject([{ id: question.archive_id, archive_title: 'Price of Bitcoin?' }]);
  });

  test('only the first answer titles the archive, and the analyst gets the earlier messages', async () => {
    const { user, socket } = await arrive();
    const titles: unknown[] = [];
    socket.on('generate_title_response', (title) => titles.push(title));
    const first = questionOf(user.user.id, { message: 'first' });
    const second = questionOf(user.user.id, { message: 'second', archive_id: first.archive_id });
    for (const question of [first, second]) {
      const answer = answerTo(socket, question.client_id);
      await send(socket, question);
      await answer;
    }
    expect(titles).toEqual([{ archive_id: first.archive_id, title: 'first' }]);
    expect(heard()).toEqual([
      { question: 'first', history: [] },
      { question: 'second', history: [{ question: 'first', answer: 'You asked: first' }] },
    ]);
  });

  test('a lost acknowledgement and a resend make one row and one answer', async () => {
    const { user, socket } = await arrive();
    const question = questionOf(user.user.id);
    const answers: ChatResponse[] = [];
    socket.on('chat_response', (response) => answers.push(response));
    const resends = await Promise.all([send(socket, question), send(socket, question), send(socket, question)]);
    for (const ack of resends) expect(ack).toMatchObject({ chat: { id: question.client_id } });

    const marker = questionOf(user.user.id, { archive_id: question.archive_id });
    const marked = answerTo(socket, marker.client_id);
    await send(socket, marker);
    await marked;
    expect(await send(socket, question)).toMatchObject({ chat: { chat_status: 'ai-responce' } });
    expect(await chatsOf(user, question.archive_id)).toHaveLength(2);
    expect(answers.map((answer) => answer.chat_id)).toEqual([question.client_id, marker.client_id]);
    expect(analyst.asked).toHaveLength(2);
  });

  test('questions sent at once are answered in the order they were stored', async () => {
    const { user, socket } = await arrive();
    const { archive_id } = questionOf(user.user.id);
    const questions = Array.from({ length: 8 }, (_, index) => questionOf(user.user.id, { archive_id, message: `question ${index}` }));
    const answered: string[] = [];
    const all = next(socket, 'chat_response', (response) => answered.push(response.chat_id) === questions.length);
    await Promise.all(questions.map((question) => send(socket, question)));
    await all;
    expect(answered).toEqual((await chatsOf(user, archive_id)).map((chat) => chat.id));
    expect(new Set(answered).size).toBe(questions.length);
  });

  test('a conversation does not wait for another', async () => {
    const { user, socket } = await arrive();
    const gate = createGate();
    analyst.respond = async (question) => (question === 'slow' ? gate.passed.then(() => 'at last') : 'quick');
    const slow = questionOf(user.user.id, { message: 'slow' });
    const quick = questionOf(user.user.id, { message: 'quick' });
    const [slowly, quickly] = [answerTo(socket, slow.client_id), answerTo(socket, quick.client_id)];
    await send(socket, slow);
    await send(socket, quick);
    expect(await quickly).toMatchObject({ ai_response: 'quick' });
    gate.open();
    expect(await slowly).toMatchObject({ ai_response: 'at last' });
  });

  test('an answer is stored although the user has left', async () => {
    const { user, socket } = await arrive();
    const gate = createGate();
    analyst.respond = async () => gate.passed.then(() => 'for later');
    const question = questionOf(user.user.id);
    await send(socket, question);
    socket.disconnect();
    const elsewhere = await arrive(user);
    const marker = questionOf(user.user.id, { archive_id: question.archive_id });
    const marked = answerTo(elsewhere.socket, marker.client_id);
    await send(elsewhere.socket, marker);
    gate.open();
    await marked;
    expect(await chatsOf(user, question.archive_id)).toMatchObject([{ ai_response: 'for later' }, {}]);
  });

  test('NUL characters are dropped, other text is kept as it is', async () => {
    const { user, socket } = await arrive();
    const text = 'a\u0000b "quoted" <b>\\ 😀 مرحبا \u2028 %_';
    const ack = await send(socket, questionOf(user.user.id, { message: text }));
    expect(ack).toMatchObject({ chat: { user_message: text.replace('\0', '') } });
    expect(await send(socket, questionOf(user.user.id, { message: '\0 \0' }))).toMatchObject({ error: { code: 'validation' } });
  });
});

describe('editing', () => {
  async function asked(message: string) {
    const { user, socket } = await arrive();
    const question = questionOf(user.user.id, { message });
    const answer = answerTo(socket, question.client_id);
    await send(socket, question);
    await answer;
    return { user, socket, question };
  }

  test('replaces the text in its place and answers again', async () => {
    const { user, socket, question } = await asked('befor');
    const later = questionOf(user.user.id, { message: 'later', archive_id: question.archive_id });
    const laterAnswer = answerTo(socket, later.client_id);
    await send(socket, later);
    await laterAnswer;

    const gate = createGate();
    analyst.respond = async () => gate.passed.then(() => 'new answer');
    const answer = answerTo(socket, question.client_id);
    const edit = questionOf(user.user.id, { message: 'before', archive_id: question.archive_id, chat_id: question.client_id });
    expect(await send(socket, edit)).toMatchObject({
      chat: { id: question.client_id, user_message: 'before', ai_response: '', chat_status: 'message' },
    });
    gate.open();
    expect(await answer).toMatchObject({ chat_id: question.client_id, user_message: 'before', ai_response: 'new answer' });
    expect(heard().at(-1)).toEqual({ question: 'before', history: [] });
    expect((await chatsOf(user, question.archive_id)).map((chat) => [chat.user_message, chat.ai_response])).toEqual([
      ['before', 'new answer'],
      ['later', 'You asked: later'],
    ]);
  });

  test('sent twice it is applied once, even after another edit', async () => {
    const { user, socket, question } = await asked('one');
    const base = { archive_id: question.archive_id, chat_id: question.client_id };
    const edits = [questionOf(user.user.id, { ...base, message: 'two' }), questionOf(user.user.id, { ...base, message: 'three' })];
    for (const edit of edits) {
      const answer = answerTo(socket, question.client_id);
      await send(socket, edit);
      await answer;
    }
    for (const edit of edits) {
      expect(await send(socket, edit)).toMatchObject({ chat: { user_message: 'three', chat_status: 'ai-responce' } });
    }
    expect(analyst.asked.map(({ question: text }) => text)).toEqual(['one', 'two', 'three']);
  });

  test('an answer underway for the old text is ended and thrown away', async () => {
    const { user, socket } = await arrive();
    const gate = createGate();
    analyst.respond = async (text) => (text === 'old' ? gate.passed.then(() => 'old answer') : `about ${text}`);
    const question = questionOf(user.user.id, { message: 'old' });
    const answers: ChatResponse[] = [];
    socket.on('chat_response', (response) => answers.push(response));
    await send(socket, question);
    await expect.poll(() => analyst.asked.length).toBe(1);
    const answer = answerTo(socket, question.client_id);
    await send(socket, questionOf(user.user.id, { message: 'new', archive_id: question.archive_id, chat_id: question.client_id }));
    expect(await answer).toMatchObject({ user_message: 'new', ai_response: 'about new' });
    expect(analyst.asked.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    gate.open();
    const later = questionOf(user.user.id, { archive_id: question.archive_id });
    const answered = answerTo(socket, later.client_id);
    await send(socket, later);
    await answered;
    expect(answers).toHaveLength(2);
    expect(await chatsOf(user, question.archive_id)).toMatchObject([{ user_message: 'new', ai_response: 'about new' }, {}]);
  });

  test("404 for a question that is not there, in another archive, or another user's", async () => {
    const { user, socket, question } = await asked('mine');
    const other = await arrive();
    const wrong = [
      [socket, questionOf(user.user.id, { archive_id: question.archive_id, chat_id: randomUUID() })],
      [socket, questionOf(user.user.id, { chat_id: question.client_id })],
      [other.socket, questionOf(other.user.user.id, { archive_id: question.archive_id, chat_id: question.client_id })],
    ] as const;
    for (const [from, message] of wrong) expect(await send(from, message)).toMatchObject({ error: { status: 404, code: 'not_found' } });
    expect(await chatsOf(user, question.archive_id)).toMatchObject([{ user_message: 'mine' }]);
  });
});

describe('an analyst that fails', () => {
  test('once: users do not notice', async () => {
    const { user, socket } = await arrive();
    let tries = 0;
    analyst.respond = async () => {
      tries += 1;
      if (tries === 1) throw new Error('upstream is down');
      return 'second try';
    };
    const question = questionOf(user.user.id);
    const answer = answerTo(socket, question.client_id);
    await send(socket, question);
    expect(await answer).toMatchObject({ ai_response: 'second try' });
  });

  test('twice: the error is the reply and stays; editing tries again, and history leaves the failure out', async () => {
    const { user, socket } = await arrive();
    analyst.respond = async () => {
      throw new Error('upstream is down');
    };
    const question = questionOf(user.user.id, { message: 'failing' });
    const failure = answerTo(socket, question.client_id);
    await send(socket, question);
    expect(await failure).toEqual({
      chat_id: question.client_id,
      archive_id: question.archive_id,
      chat_status: 'ai-responce',
      user_message: 'failing',
      error: FAILED_ANSWER,
      chat: expect.objectContaining({ failed: true, ai_response: FAILED_ANSWER }),
    });
    expect(analyst.asked).toHaveLength(2);
    expect(await chatsOf(user, question.archive_id)).toMatchObject([{ ai_response: FAILED_ANSWER, chat_status: 'ai-responce' }]);
    expect(await archivesOf(user)).toMatchObject([{ archive_title: '' }]);

    analyst.reset();
    const later = questionOf(user.user.id, { message: 'later', archive_id: question.archive_id });
    const laterAnswer = answerTo(socket, later.client_id);
    await send(socket, later);
    await laterAnswer;
    expect(heard()).toEqual([{ question: 'later', history: [] }]);

    const again = answerTo(socket, question.client_id);
    await send(socket, questionOf(user.user.id, { message: 'again', archive_id: question.archive_id, chat_id: question.client_id }));
    expect(await again).toMatchObject({ ai_response: 'You asked: again' });
  });

  test('an empty answer is a failure too', async () => {
    const { user, socket } = await arrive();
    analyst.respond = async () => '  ';
    const question = questionOf(user.user.id);
    const answer = answerTo(socket, question.client_id);
    await send(socket, question);
    expect(await answer).toMatchObject({ error: FAILED_ANSWER });
  });
});

describe('processes', () => {
  /** Creates another chat service on the server's database, as another process would. */
  function process(options: { alone: boolean; clock?: () => number; answerTimeout?: number; claimLifetime?: number }) {
    const { alone, clock = Date.now, ...rest } = options;
    const mine = scriptedAnalyst();
    const events = new ChatEvents();
    const answers: { userId: string; response: ChatResponse }[] = [];
    events.on('response', (userId, response) => answers.push({ userId, response }));
    const archives = createArchives({ db: server.db, clock });
    const allowances = createAllowances({ clock, planOf: premium });
    const images = createImages({ db: server.db, clock, blobs: blobsOf(server), afterResponse: createAfterResponse(console.error) });
    const chats = createConversations({
      db: server.db,
      archives,
      allowances,
      images,
      ownOf: () => ({ plan: async () => undefined, bots: async () => undefined }),
      analyst: mine,
      events,
      clock,
      log: quiet,
      alone,
      ...rest,
    });
    return { chats, analyst: mine, answers, events };
  }

  const settled = async (who: SignedUp, archiveId: string, count: number) => {
    await expect.poll(async () => (await chatsOf(who, archiveId)).filter((chat) => chat.chat_status === 'ai-responce').length).toBe(count);
    return chatsOf(who, archiveId);
  };

  /** Inserts a question as a process that crashed leaves it. */
  async function orphan(message: string, archiveId: string = randomUUID()) {
    const id = randomUUID();
    await server.db.transaction(async (tx) => {
      await createArchives({ db: server.db, clock: Date.now }).hold(tx, ann.user.id, archiveId);
      await insertQuestion(tx, { userId: ann.user.id, id, archiveId, text: message, imageId: null, createdAt: new Date() });
    });
    return { id, archiveId };
  }

  test('a start answers stored questions without an answer, once and in order', async () => {
    const first = await orphan('first');
    await orphan('second', first.archiveId);
    const later = process({ alone: true });
    await later.chats.start();
    const chats = await settled(ann, first.archiveId, 2);
    expect(chats.map((chat) => chat.ai_response)).toEqual(['You asked: first', 'You asked: second']);
    await later.chats.close();
    expect(later.answers).toHaveLength(2);

    const evenLater = process({ alone: true });
    await evenLater.chats.start();
    await evenLater.chats.close();
    expect(evenLater.analyst.asked).toEqual([]);
  });

  test('a claim of a dead process does not delay a process that is alone', async () => {
    const dead = process({ alone: true });
    dead.analyst.respond = () => new Promise(() => {});
    const question = questionOf(ann.user.id, { message: 'claimed' });
    await dead.chats.ask(ann.user.id, question);
    await expect.poll(() => dead.analyst.asked.length).toBe(1);

    const later = process({ alone: true });
    await later.chats.start();
    expect(await settled(ann, question.archive_id, 1)).toMatchObject([{ ai_response: 'You asked: claimed' }]);
    await later.chats.close();
    expect(later.answers).toHaveLength(1);
  });

  const claimOf = async ({ client_id }: ChatMessage) => {
    const left = sql<number>`extract(epoch from ${chatRows.claimedUntil} - clock_timestamp())::float8 * 1000`;
    const [row] = await server.db.select({ left }).from(chatRows).where(eq(chatRows.id, client_id));
    return row?.left ?? 0;
  };

  /** Moves a claim into the past, as time does while its process cannot renew it. */
  const expire = ({ client_id }: ChatMessage) =>
    server.db.update(chatRows).set({ claimedUntil: sql`clock_timestamp()` }).where(eq(chatRows.id, client_id));

  test('of two processes one answers, and the other takes over when the claim expires', async () => {
    const stuck = process({ alone: false });
    const gate = createGate();
    stuck.analyst.respond = () => gate.passed.then(() => 'too late');
    const question = questionOf(ann.user.id, { message: 'shared' });
    await stuck.chats.ask(ann.user.id, question);
    await expect.poll(() => stuck.analyst.asked.length).toBe(1);
    expect(await claimOf(question)).toBeLessThanOrEqual(20_000);

    // The clocks of processes do not matter.
    const other = process({ alone: false, clock: () => Date.now() + 60 * 60_000 });
    await other.chats.start();
    await other.chats.ask(ann.user.id, question);
    await other.chats.close();
    expect(other.analyst.asked).toEqual([]);

    await expire(question);
    const third = process({ alone: false, clock: () => Date.now() - 60 * 60_000 });
    await third.chats.start();
    expect(await settled(ann, question.archive_id, 1)).toMatchObject([{ ai_response: 'You asked: shared' }]);
    gate.open();
    await stuck.chats.close();
    await third.chats.close();
    expect(await chatsOf(ann, question.archive_id)).toMatchObject([{ ai_response: 'You asked: shared' }]);
    expect([stuck.answers.length, other.answers.length, third.answers.length]).toEqual([0, 0, 1]);
    const charged = await server.db.select({ state: charges.state }).from(charges).where(eq(charges.chatId, question.client_id));
    expect(charged).toEqual([{ state: 'spent' }]);
  });

  test('a claim does not outlast a database whose clock is set back', async () => {
    const { id, archiveId } = await orphan('claimed in the future');
    await server.db.update(chatRows).set({ claimedUntil: sql`clock_timestamp() + interval '1 day'` }).where(eq(chatRows.id, id));
    const later = process({ alone: false });
    await later.chats.start();
    expect(await settled(ann, archiveId, 1)).toMatchObject([{ ai_response: 'You asked: claimed in the future' }]);
    await later.chats.close();
  });

  test('a process renews its claims while it answers, and stops its work on one that it has lost', async () => {
    const working = process({ alone: false, claimLifetime: 1000 });
    working.analyst.respond = () => new Promise(() => {});
    const questions = [questionOf(ann.user.id, { message: 'kept' }), questionOf(ann.user.id, { message: 'lost' })];
    for (const question of questions) await working.chats.ask(ann.user.id, question);
    await expect.poll(() => working.analyst.asked.length).toBe(2);
    const [kept, lost] = questions as [ChatMessage, ChatMessage];
    // Only a renewal makes the time that is left grow.
    const before = await claimOf(kept);
    await expect.poll(() => claimOf(kept), { interval: 10 }).toBeGreaterThan(before);

    const signalOf = ({ message }: ChatMessage) => working.analyst.asked.find(({ question }) => question === message)?.signal.aborted;
    await server.db
      .update(chatRows)
      .set({ version: sql`${chatRows.version} + 1` })
      .where(eq(chatRows.id, lost.client_id));
    await expect.poll(() => signalOf(lost)).toBe(true);
    expect(signalOf(kept)).toBe(false);
    for (const { client_id } of questions) await server.db.transaction((tx) => working.chats.stop(tx, ann.user.id, client_id));
    await working.chats.close();
  });

  test('two processes woken for the same questions answer each once', async () => {
    const pair = [process({ alone: false }), process({ alone: false })];
    const archiveId = randomUUID();
    const questions = Array.from({ length: 10 }, (_, index) =>
      questionOf(ann.user.id, { archive_id: archiveId, message: `both ${index}` }),
    );
    await Promise.all(questions.flatMap((question) => pair.map(({ chats }) => chats.ask(ann.user.id, question))));
    const chats = await settled(ann, archiveId, questions.length);
    await Promise.all(pair.map(({ chats: service }) => service.close()));
    expect(chats).toHaveLength(questions.length);
    const answered = pair.flatMap(({ answers }) => answers.map(({ response }) => response.chat_id));
    expect(answered.sort()).toEqual(questions.map((question) => question.client_id).sort());
    expect(pair.flatMap(({ analyst: { asked } }) => asked)).toHaveLength(questions.length);
  });

  test('an analyst that never answers is given up', async () => {
    const impatient = process({ alone: false, answerTimeout: 20 });
    impatient.analyst.respond = () => new Promise(() => {});
    const question = questionOf(ann.user.id, { message: 'silence' });
    await impatient.chats.ask(ann.user.id, question);
    expect(await settled(ann, question.archive_id, 1)).toMatchObject([{ ai_response: FAILED_ANSWER }]);
    await impatient.chats.close();
    expect(impatient.analyst.asked).toHaveLength(2);
  });
});
