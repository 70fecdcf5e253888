import { randomBytes, randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tokensAnswer } from '#contract/account/tokens.ts';
import { archiveLinksAnswer, linkAnswer, linksAnswer, MAX_LINK_MESSAGES, MAX_LINKS, sharedChatAnswer } from '#contract/chat/chat-links.ts';
import { DAY, HOUR } from '#domain/clock.ts';
import { archives, chatLinks, chats } from '#server/db/schema/chat.ts';
import { idempotency } from '#server/db/schema/requests.ts';
import { users } from '#server/db/schema/users.ts';
import { tidy } from '#server/housekeeping/tidy.ts';
import { blackPng } from '#tests/support/charts/pictures.ts';
import { type Chatter, chatterOf } from '#tests/support/chat/chatter.ts';
import { scriptedAnalyst } from '#tests/support/chat/scripted-analyst.ts';
import { onPostgres, sharedEnv } from '#tests/support/server/on-postgres.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

const FIGURES = {
  sources: [{ tool: 'quotes' as const, name: 'A market', asOf: '2026-05-13T09:30:00.000Z' }],
  list: [
    {
      at: 4,
      length: 2,
      label: 'Price of Bitcoin (BTC)',
      value: 42,
      unit: 'USD' as const,
      source: 0,
      now: { metric: 'price' as const, coin: 1 },
    },
  ],
};
const OWN = { sources: [{ ...FIGURES.sources[0], tool: 'account' as const }], list: [] };

const newToken = () => randomBytes(32).toString('base64url');
const linkOf = (given: object = {}) => ({ id: randomUUID(), token: newToken(), days: 7, with_pictures: false, last: 1000, ...given });

const analyst = scriptedAnalyst();
let server: TestServer;
const logged: string[] = [];
let ann: Chatter;

beforeAll(async () => {
  const logTo = { write: (line: string) => logged.push(line) };
  server = await startServer({
    env: { LOG_LEVEL: 'trace' },
    logTo,
    analyst,
    planOf: async () => 'PREMIUM',
  });
  ann = await chatterOf(server);
});
afterAll(async () => {
  ann.socket.disconnect();
  await server.close();
});
beforeEach(async () => {
  analyst.reset();
  analyst.respond = async () => ({ text: 'It: 42 dollars.', figures: FIGURES as never });
  await server.db.delete(chatLinks);
});

/** Asks questions in a new chat and returns its id. */
async function chatOf(chatter: Chatter, questions: readonly object[] = [{ message: 'What is the price of Bitcoin?' }]): Promise<string> {
  const archive_id = randomUUID();
  for (const question of questions) await chatter.ask({ archive_id, ...question });
  return archive_id;
}

const make = (chatter: Chatter, archiveId: string, body: object, headers: Record<string, string> = {}) =>
  chatter.call(`/archive/${archiveId}/links`, { method: 'POST', body, headers });

async function made(chatter: Chatter, archiveId: string, given: object = {}) {
  const body = linkOf(given);
  const response = await make(chatter, archiveId, body);
  expect(response.status).toBe(201);
  return { ...linkAnswer.parse(await response.json()).data, token: body.token };
}

const open = (token: unknown, at = server) => at.post('/shared-chat', { token });
const picture = (token: string, place: number) => server.post('/shared-chat/picture', { token, place });
const shown = async (token: string) => sharedChatAnswer.parse(await (await open(token)).json()).data;
const code = async (response: Response) => ((await response.json()) as { code: string }).code;
const stop = (chatter: Chatter, id: string, headers = {}) => chatter.call(`/chat-links/${id}`, { method: 'DELETE', headers });

describe('a link to a chat', () => {
  test('shows questions, answers and where figures come from to everyone who has it', async () => {
    const chat = await chatOf(ann);
    const link = await made(ann, chat);
    const response = await open(link.token);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    });
    const text = await response.text();
    const { data } = sharedChatAnswer.parse(JSON.parse(text));
    const [figure] = FIGURES.list;
    const { now: _, ...shownFigure } = figure ?? {};
    expect(data).toEqual({
      title: 'What is the price of Bitcoin?',
      shared_at: link.created_at,
      expires_at: link.expires_at,
      messages: [
        {
          question: 'What is the price of Bitcoin?',
          answer: 'It: 42 dollars.',
          asked_at: expect.any(String),
          figures: { ...FIGURES, list: [shownFigure] },
          picture: false,
        },
      ],
      left_out: 0,
      earlier: false,
    });
    expect(Date.parse(link.expires_at) - Date.parse(link.created_at)).toBe(7 * DAY);
    const { id, email, first_name, last_name } = ann.who.user;
    const [message] = await ann.chats(chat);
    for (const secret of [id, email, first_name, last_name, chat, link.id, message?.id]) expect(text).not.toContain(secret);
  });

  test('stays as it was when the chat goes on, is edited or renamed', async () => {
    const chat = await chatOf(ann);
    const { token } = await made(ann, chat);
    const before = await shown(token);
    const [first] = await ann.chats(chat);
    analyst.respond = async () => 'Another answer';
    await ann.ask({ archive_id: chat, message: 'And a later secret?' });
    await ann.ask({ archive_id: chat, chat_id: first?.id ?? '', message: 'Edited' });
    const title = new FormData();
    title.set('archiveTitle', 'A new title');
    await ann.call(`/archive/${chat}/title`, { method: 'PATCH', body: title });
    expect(await shown(token)).toEqual(before);
  });

  test('leaves out what arrived after the user looked, and what has no answer', async () => {
    const chat = await chatOf(ann, [{ message: 'One' }, { message: 'Two' }]);
    await server.db.update(chats).set({ failed: true }).where(eq(chats.userMessage, 'One'));
    const { copy } = archiveLinksAnswer.parse(await (await ann.call(`/archive/${chat}/links`)).json()).data;
    expect(copy).toEqual({ messages: 1, last: 2, left_out: 0, earlier: false, pictures: 0 });
    await ann.ask({ archive_id: chat, message: 'Three' });
    const { token } = await made(ann, chat, { last: copy.last });
    expect((await shown(token)).messages.map(({ question }) => question)).toEqual(['Two']);
  });

  test('leaves out answers about the own bots, plan and allowance with their questions', async () => {
    const chat = await chatOf(ann, [{ message: 'Price?' }]);
    analyst.respond = async () => ({ text: 'You have 3 bots with $1,234.', figures: OWN as never });
    await ann.ask({ archive_id: chat, message: 'What do my bots do?' });
    analyst.respond = async () => 'You are on Premium. [Manage Subscription](/settings/manage-subscription)';
    await ann.ask({ archive_id: chat, message: 'And my plan?' });
    const { copy } = archiveLinksAnswer.parse(await (await ann.call(`/archive/${chat}/links`)).json()).data;
    expect(copy).toMatchObject({ messages: 1, left_out: 2, last: 3 });
    const { token } = await made(ann, chat, { last: copy.last });
    const data = await shown(token);
    expect(data.left_out).toBe(2);
    expect(data.messages.map(({ question }) => question)).toEqual(['Price?']);
  });

  test('has pictures only when its owner says so', async () => {
    const image = await ann.upload(blackPng(30, 20));
    const chat = await chatOf(ann, [{ message: 'A chart', chat_image: image }]);
    const { copy } = archiveLinksAnswer.parse(await (await ann.call(`/archive/${chat}/links`)).json()).data;
    expect(copy.pictures).toBe(1);
    const without = await made(ann, chat);
    expect((await shown(without.token)).messages[0]?.picture).toBe(false);
    expect((await picture(without.token, 0)).status).toBe(404);
    const link = await made(ann, chat, { with_pictures: true });
    expect((await shown(link.token)).messages[0]?.picture).toBe(true);
    const response = await picture(link.token, 0);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    expect(
      Buffer.from(await response.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    expect((await picture(link.token, 1)).status).toBe(404);
    expect(JSON.stringify(await shown(link.token))).not.toContain(image);
  });

  test('shows the last hundred of a long chat, and says so', async () => {
    const chat = await chatOf(ann);
    const row = { userId: ann.who.user.id, archiveId: chat, aiResponse: 'Yes', answeredAt: new Date(), createdAt: new Date() };
    const rows = Array.from({ length: 104 }, (_, at) => ({
      ...row,
      id: randomUUID(),
      position: at + 2,
      userMessage: `Question ${at + 2}`,
    }));
    await server.db.insert(chats).values(rows);
    const { token, messages } = await made(ann, chat);
    expect(messages).toBe(MAX_LINK_MESSAGES);
    const data = await shown(token);
    expect([data.earlier, data.messages[0]?.question, data.messages.at(-1)?.question]).toEqual([true, 'Question 6', 'Question 105']);
    await server.db
      .update(chats)
      .set({ aiResponse: 'x'.repeat(100_000) })
      .where(eq(chats.archiveId, chat));
    const large = await made(ann, chat);
    expect(large.messages).toBe(4);
    expect((await shown(large.token)).earlier).toBe(true);
  });
});

describe('the end of a link', () => {
  const gone = async (token: string, at = server) => {
    const response = await open(token, at);
    return [response.status, await response.json()];
  };
  const nothing = [404, { status: 404, code: 'not_found', message: 'This link has expired or was stopped.' }];

  test('comes when its owner stops it, once and for all', async () => {
    const { id, token } = await made(ann, await chatOf(ann));
    const key = { 'idempotency-key': randomUUID() };
    expect((await stop(ann, id, key)).status).toBe(200);
    expect((await stop(ann, id, key)).status).toBe(200);
    expect((await stop(ann, id)).status).toBe(404);
    expect(await gone(token)).toEqual(nothing);
    expect(await server.db.$count(chatLinks)).toBe(0);
  });

  test('comes when its time is over, by the clock that counts, and the cleanup deletes its copy', async () => {
    let skew = 0;
    // A server of its own: moved clocks end the sockets of others.
    const later = await startServer({ analyst, clock: () => Date.now() + skew });
    try {
      const eve = await chatterOf(later);
      const chat = await chatOf(eve);
      const { token } = await made(eve, chat, { days: 1 });
      await made(eve, chat, { days: 30 });
      eve.socket.disconnect();
      skew = DAY - HOUR;
      expect((await open(token, later)).status).toBe(200);
      skew = DAY + HOUR;
      expect(await gone(token, later)).toEqual(nothing);
      const signedIn = await later.post('/auth/login', { email: eve.who.user.email, password: eve.who.password });
      const { data: tokens } = tokensAnswer.parse(await signedIn.json());
      const listed = await fetch(`${later.url}/api/chat-links`, { headers: { authorization: `Bearer ${tokens.accessToken}` } });
      expect(linksAnswer.parse(await listed.json()).data).toHaveLength(1);
      await tidy(later.db, Date.now() + skew);
      expect(await later.db.$count(chatLinks)).toBe(1);
    } finally {
      await later.close();
    }
  });

  test('comes with the end of its chat', async () => {
    const chat = await chatOf(ann);
    const { token } = await made(ann, chat);
    await ann.call(`/archive/${chat}`, { method: 'DELETE' });
    expect(await gone(token)).toEqual(nothing);
    expect(await server.db.$count(chatLinks)).toBe(0);
  });

  test('comes when the deletion of its account begins', async () => {
    const eve = await chatterOf(server);
    const { token } = await made(eve, await chatOf(eve));
    await server.db.update(users).set({ erasingAt: new Date() }).where(eq(users.id, eve.who.user.id));
    expect(await gone(token)).toEqual(nothing);
    eve.socket.disconnect();
  });

  test.each(['', 'x', 'a'.repeat(43), 'a'.repeat(44), '../../etc/passwd', "' or 1=1 --", '💥'.repeat(21)])(
    'is the answer to the guess %j',
    async (guess) => {
      await made(ann, await chatOf(ann));
      expect(await gone(guess)).toEqual(nothing);
    },
  );

  test('an oversized or malformed token is refused without a look into the database', async () => {
    expect((await open('x'.repeat(100_000))).status).toBe(413);
    for (const token of [null, 7, {}, ['a'], 'x'.repeat(1001), undefined]) expect((await open(token)).status).toBe(400);
    for (const place of [-1, 0.5, 1e9, '0'])
      expect((await server.post('/shared-chat/picture', { token: newToken(), place })).status).toBe(400);
  });
});

describe('making a link', () => {
  test('is done once for one id, and one key', async () => {
    const chat = await chatOf(ann);
    const body = linkOf();
    const headers = { 'idempotency-key': randomUUID() };
    const first = await (await make(ann, chat, body, headers)).text();
    expect(await (await make(ann, chat, body, headers)).text()).toBe(first);
    expect(await (await make(ann, chat, body)).text()).toBe(first);
    expect(await server.db.$count(chatLinks)).toBe(1);
    expect(await code(await make(ann, chat, { ...body, token: newToken() }))).toBe('link_taken');
    expect(await code(await make(ann, chat, { ...body, id: randomUUID() }))).toBe('link_taken');
  });

  test('leaves no token in the log, whatever is sent with it', async () => {
    const { token } = await made(ann, await chatOf(ann));
    logged.length = 0;
    for (const body of [{ token }, { token, place: 0 }, { token: `${token}x` }, { token: [token] }, { token: token.repeat(50) }])
      for (const path of ['/shared-chat', '/shared-chat/picture']) await server.post(path, body);
    expect(logged.join('')).toContain('/api/shared-chat');
    expect(logged.join('')).not.toContain(token);
  });

  test('stores no token anywhere', async () => {
    const chat = await chatOf(ann);
    const body = linkOf();
    await make(ann, chat, body, { 'idempotency-key': randomUUID() });
    const stored = JSON.stringify([await server.db.select().from(chatLinks), await server.db.select().from(idempotency)]);
    expect(stored).toContain(body.id);
    expect(stored).not.toContain(body.token);
  });

  test('ends at the limit, also with requests at the same time', async () => {
    const eve = await chatterOf(server);
    const chat = await chatOf(eve);
    for (let count = 1; count < MAX_LINKS; count++) await made(eve, chat);
    const last = await Promise.all([make(eve, chat, linkOf()), make(eve, chat, linkOf()), make(eve, chat, linkOf())]);
    expect(last.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(await code(last.find(({ status }) => status === 409) as Response)).toBe('too_many_links');
    const { data } = linksAnswer.parse(await (await eve.call('/chat-links')).json());
    expect(data).toHaveLength(MAX_LINKS);
    await stop(eve, data[0]?.id ?? '');
    expect((await make(eve, chat, linkOf())).status).toBe(201);
    eve.socket.disconnect();
  });

  test.each([
    ['another expiry', { days: 365 }],
    ['a short token', { token: 'abc' }],
    ['a long token', { token: 'x'.repeat(100_000) }],
    ['no id', { id: '1' }],
    ['no position', { last: 0 }],
  ])('refuses %s', async (_, given) => {
    expect((await make(ann, await chatOf(ann), linkOf(given))).status).toBe(400);
  });

  test('needs an answer to show', async () => {
    const archiveId = randomUUID();
    await server.db.insert(archives).values({ userId: ann.who.user.id, id: archiveId });
    expect(await code(await make(ann, archiveId, linkOf()))).toBe('nothing_to_share');
    const { copy } = archiveLinksAnswer.parse(await (await ann.call(`/archive/${archiveId}/links`)).json()).data;
    expect(copy).toEqual({ messages: 0, last: 0, left_out: 0, earlier: false, pictures: 0 });
  });

  test("another user's chat and link are as if they were not there", async () => {
    const bob = await chatterOf(server);
    const chat = await chatOf(ann);
    const link = await made(ann, chat);
    expect((await make(bob, chat, linkOf())).status).toBe(404);
    expect((await bob.call(`/archive/${chat}/links`)).status).toBe(404);
    expect((await stop(bob, link.id)).status).toBe(404);
    expect(linksAnswer.parse(await (await bob.call('/chat-links')).json()).data).toEqual([]);
    // Neither the id nor the token of another user's link can be taken over.
    const bobs = await chatOf(bob);
    expect((await make(bob, bobs, linkOf({ id: link.id }))).status).toBe(201);
    expect(await code(await make(bob, bobs, linkOf({ token: link.token })))).toBe('link_taken');
    expect((await shown(link.token)).shared_at).toBe(link.created_at);
    bob.socket.disconnect();
  });
});

describe('several processes', () => {
  const servers: TestServer[] = [];

  onPostgres(
    async ({ url }) => {
      // The clock of the second process is years off: links end on the database's clock.
      servers.push(await startServer({ env: sharedEnv(url), analyst }));
      servers.push(await startServer({ env: sharedEnv(url), analyst, clock: () => Date.now() + 400 * DAY }));
    },
    async () => void (await Promise.all(servers.map((each) => each.close()))),
  );

  test('open and stop a link that another one made', async () => {
    const [one, other] = servers as [TestServer, TestServer];
    const eve = await chatterOf(one);
    const { id, token } = await made(eve, await chatOf(eve));
    expect((await open(token, other)).status).toBe(200);
    await stop(eve, id);
    expect((await open(token, other)).status).toBe(404);
    eve.socket.disconnect();
  });
});
