import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_ARCHIVES } from '#contract/chat/archive-limits.ts';
import {
  type ImportedChat,
  type ImportedMessage,
  importAnswer,
  MAX_IMPORTED_A_DAY,
  MAX_MESSAGES_TO_IMPORT,
} from '#contract/chat/import-chats.ts';
import { DAY } from '#domain/clock.ts';
import { archives, charges, chats } from '#server/db/schema/chat.ts';
import { notifications } from '#server/db/schema/notifications.ts';
import { budgets } from '#server/db/schema/requests.ts';
import { createFullUser } from '#tests/support/accounts/full-user.ts';
import { unzip } from '#tests/support/accounts/unzip.ts';
import { blackPng } from '#tests/support/charts/pictures.ts';
import { type Chatter, chatterOf } from '#tests/support/chat/chatter.ts';
import { scriptedAnalyst } from '#tests/support/chat/scripted-analyst.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

const SLOW = 240_000;
const analyst = scriptedAnalyst();
let server: TestServer;
const open: Chatter[] = [];

beforeAll(async () => {
  server = await startServer({ analyst });
});
afterAll(async () => {
  for (const { socket } of open) socket.disconnect();
  await server.close();
});

async function someone(on = server): Promise<Chatter> {
  const chatter = await chatterOf(on);
  open.push(chatter);
  return chatter;
}

const message = (more: Partial<ImportedMessage> = {}): ImportedMessage => ({
  id: randomUUID(),
  user_message: 'What is staking?',
  ai_response: 'Locking coins.',
  failed: false,
  stopped: false,
  rating: null,
  created_at: '2026-03-01T10:00:00.123Z',
  answered_at: '2026-03-01T10:00:05Z',
  picture: null,
  figures: null,
  ...more,
});
const chat = (...messages: ImportedMessage[]): ImportedChat => ({
  id: randomUUID(),
  title: 'Staking',
  created_at: '2026-03-01T10:00:00Z',
  messages,
});

const send = (who: Chatter, chats: readonly unknown[], { preview = false, userId = who.who.user.id } = {}) =>
  who.call(`/user/${userId}/archives/import`, { method: 'POST', body: { preview, chats } });
async function bring(who: Chatter, chats: readonly unknown[], preview = false) {
  const response = await send(who, chats, { preview });
  expect(response.status).toBe(200);
  return importAnswer.parse(await response.json()).data;
}
const counted = (added: [number, number], present: [number, number] = [0, 0], left: [number, number] = [0, 0]) => {
  const of = ([chats, messages]: [number, number]) => ({ chats, messages });
  return { added: of(added), present: of(present), left_out: of(left) };
};
const rowsOf = ({ who }: Chatter) => server.db.$count(chats, eq(chats.userId, who.user.id));

/** Reads chats of an export as the app sends them. */
function chatsOf(files: Map<string, Buffer>): ImportedChat[] {
  const rows = (name: string) => JSON.parse(files.get(name)?.toString() ?? '[]') as Record<string, string>[];
  return rows('chats.json').map(({ id = '', title = '', created_at = '' }) => ({
    id,
    title,
    created_at,
    messages: rows('chat-messages.json')
      .filter(({ archive_id }) => archive_id === id)
      .map(({ archive_id: _, position: __, action: ___, picture, ...rest }) => ({
        ...(rest as unknown as ImportedMessage),
        picture: /([0-9a-f-]{36})\.\w+$/.exec(picture ?? '')?.[1] ?? null,
      })),
  }));
}
async function exported(on: TestServer, who: { id: string; authorization: string }): Promise<Map<string, Buffer>> {
  const response = await fetch(`${on.url}/api/user/${who.id}/export`, { headers: { authorization: who.authorization } });
  expect(response.status).toBe(200);
  return unzip(Buffer.from(await response.arrayBuffer()));
}

describe('chats of an export', () => {
  test('arrive on another server as they were, uncharged, unanswered and without a notification', { timeout: SLOW }, async () => {
    const from = await startServer();
    try {
      const ada = await createFullUser(from, 3);
      const files = await exported(from, ada);
      const given = chatsOf(files);
      const bob = await someone();
      const left = await bob.left();
      const asked = analyst.asked.length;
      const pictures = given.flatMap(({ messages }) => messages.flatMap(({ picture }) => picture ?? []));
      expect(pictures.length).toBeGreaterThan(0);
      for (const id of pictures) await bob.upload(files.get(`pictures/chats/${id}.png`) as Buffer, id);

      const answered = given
        .flatMap(({ messages }) => messages)
        .filter(({ answered_at, failed, stopped }) => answered_at || failed || stopped);
      expect((await bring(bob, given)).added).toEqual({ chats: given.length, messages: answered.length });
      const again = chatsOf(await exported(server, { id: bob.who.user.id, authorization: bob.who.authorization }));
      const only = (all: ImportedChat[]) =>
        all
          .map((each) => ({ ...each, messages: each.messages.filter(({ id }) => answered.some((one) => one.id === id)) }))
          .sort((one, other) => (one.id < other.id ? -1 : 1));
      expect(only(again)).toEqual(only(given));

      expect(await bob.left()).toEqual(left);
      expect(analyst.asked).toHaveLength(asked);
      expect(await server.db.$count(charges, eq(charges.userId, bob.who.user.id))).toBe(0);
      expect(await server.db.$count(notifications, eq(notifications.userId, bob.who.user.id))).toBe(0);
    } finally {
      await from.close();
    }
  });

  test('are added once, however often and however many at once they are sent', async () => {
    const bob = await someone();
    const one = chat(message(), message());
    const answers = await Promise.all([1, 2, 3, 4].map(() => bring(bob, [one])));
    const added = answers.map((each) => each.added.messages).sort();
    expect(added).toEqual([0, 0, 0, 2]);
    expect(await bring(bob, [one])).toEqual(counted([0, 0], [1, 2]));
    const upper = { ...one, id: one.id.toUpperCase(), messages: one.messages.map((each) => ({ ...each, id: each.id.toUpperCase() })) };
    expect(await bring(bob, [upper, upper])).toEqual(counted([0, 0], [2, 4]));
    expect(await rowsOf(bob)).toBe(2);
  });

  test('are counted and not stored for a preview', async () => {
    const bob = await someone();
    const one = chat(message(), message({ answered_at: null }));
    expect(await bring(bob, [one], true)).toEqual(counted([1, 1], [0, 0], [0, 1]));
    expect([await rowsOf(bob), await server.db.$count(archives, eq(archives.userId, bob.who.user.id))]).toEqual([0, 0]);
  });

  test('keep their order over several requests, behind what is there, without a gap', async () => {
    const bob = await someone();
    const { question } = await bob.ask({ message: 'Mine' });
    const [first, second, third] = ['1', '2', '3'].map((user_message) => message({ user_message }));
    const one = { ...chat(), id: question.archive_id };
    await bring(bob, [{ ...one, messages: [first, message({ answered_at: null })] }]);
    await bring(bob, [{ ...one, messages: [first, second, third] }]);
    const stored = await bob.chats(question.archive_id);
    expect(stored.map(({ user_message, position }) => [user_message, position])).toEqual([
      ['Mine', 1],
      ['1', 2],
      ['2', 3],
      ['3', 4],
    ]);
    const { response } = await bob.ask({ message: 'After', archive_id: question.archive_id });
    expect(response.chat?.position).toBe(5);
  });

  test('of another user are added to the own account alone, with what belongs to it', async () => {
    const [ada, bob] = [await someone(), await someone()];
    const picture = await ada.upload(blackPng(9, 9));
    const theirs = chat(message({ picture, user_message: 'Of Ada' }));
    await bring(ada, [theirs]);
    expect(await bring(bob, [{ ...theirs, messages: [{ ...theirs.messages[0], user_message: 'Of Bob' }] }])).toEqual(counted([1, 1]));
    expect((await ada.chats(theirs.id)).map(({ user_message }) => user_message)).toEqual(['Of Ada']);
    expect(await bob.chats(theirs.id)).toMatchObject([{ user_message: 'Of Bob', chat_image: null, preview_image: null }]);
    expect((await send(bob, [theirs], { userId: ada.who.user.id })).status).toBe(404);
  });

  test('are found by search, in titles and answers', async () => {
    const bob = await someone();
    const one = { ...chat(message({ ai_response: 'The Merge of Ethereum' })), title: 'Éther' };
    await bring(bob, [one]);
    for (const text of ['ether', 'merge']) {
      const found = (await (await bob.call(`/user/${bob.who.user.id}/archives/${text}`)).json()) as { data: { id: string }[] };
      expect(found.data.map(({ id }) => id)).toEqual([one.id]);
    }
  });

  test('have dates between the first bitcoin and now', async () => {
    const bob = await someone();
    const odd = message({ created_at: '1970-01-01T00:00:00Z', answered_at: '2999-01-01T00:00:00Z' });
    await bring(bob, [chat(odd)]);
    const [row] = await server.db.select().from(chats).where(eq(chats.id, odd.id));
    expect(row?.createdAt.getUTCFullYear()).toBe(2009);
    expect(row?.answeredAt?.getTime()).toBeLessThanOrEqual(Date.now());
  });

  test('keep the figures that can be read and stored, and come without others', async () => {
    const bob = await someone();
    const figuresOf = (name: string) => ({
      sources: [{ tool: 'quotes', name, asOf: '2026-03-01T10:00:00Z' }],
      list: [{ at: 0, length: 2, label: 'Price', value: 5, unit: 'USD', source: 0 }],
    });
    const given = [figuresOf('Kraken'), figuresOf('\ud800'), { list: 'none' }];
    const one = chat(...given.map((figures) => message({ ai_response: '$5', figures })));
    expect(await bring(bob, [one])).toEqual(counted([1, 3]));
    expect((await bob.chats(one.id)).map(({ figures }) => figures ?? null)).toEqual([figuresOf('Kraken'), null, null]);

    const marks = {
      kind: 'line',
      confidence: 0.8,
      width: 9,
      height: 9,
      plot: { x: 0, y: 0, width: 9, height: 9 },
      trend: 'up',
      levels: [],
      warnings: [],
    };
    const more = chat(
      message({ marks, coins: [1, 1027], choices: ['Price of Bitcoin'] }),
      message({ marks: { kind: 'line' }, coins: ['1'], choices: [1] }),
    );
    await bring(bob, [more]);
    expect(await bob.chats(more.id)).toMatchObject([
      { marks, coins: [1, 1027], choices: ['Price of Bitcoin'] },
      { marks: null, coins: [], choices: [] },
    ]);
  });

  test('beyond the number of chats are left out with their messages', async () => {
    const bob = await someone();
    const userId = bob.who.user.id;
    const many = Array.from({ length: MAX_ARCHIVES - 1 }, () => ({ userId, id: randomUUID() }));
    for (let at = 0; at < many.length; at += 1_000) await server.db.insert(archives).values(many.slice(at, at + 1_000));
    expect(await bring(bob, [chat(message()), chat(message(), message())])).toEqual(counted([1, 1], [0, 0], [1, 2]));
  });

  test('beyond the number of messages are left out', { timeout: SLOW }, async () => {
    const bob = await someone();
    const userId = bob.who.user.id;
    const full = chat();
    await bring(bob, [full]);
    await server.db.execute(sql`insert into chats (user_id, id, archive_id, position, user_message, ai_response, folded, answered_at)
      select ${userId}::uuid, gen_random_uuid(), ${full.id}::uuid, n, '', '', '', now() from generate_series(1, ${MAX_MESSAGES_TO_IMPORT - 3}::int) n`);
    // This process has counted 0 messages of them, and counts again before it adds too many.
    for (let request = 0; request < 30; request++) await bring(bob, [chat()], true);
    expect(await bring(bob, [chat(message()), chat(message(), message())])).toEqual(counted([2, 3]));
    expect(await bring(bob, [chat(message())])).toEqual(counted([1, 0], [0, 0], [0, 1]));
  });

  test('have a daily limit, which a preview does not use up', async () => {
    const bob = await someone();
    const endsAt = new Date((Math.floor(Date.now() / DAY) + 1) * DAY);
    await server.db.insert(budgets).values({ key: `import ${bob.who.user.id}`, used: MAX_IMPORTED_A_DAY, endsAt });
    expect((await bring(bob, [chat(message())], true)).added.messages).toBe(1);
    const refused = await send(bob, [chat(message())]);
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([429, 'too_many_requests']);
    expect(await rowsOf(bob)).toBe(0);
  });

  const wide = (length: number) => 'x'.repeat(length);
  test.each<[string, () => unknown[], number]>([
    ['no chat', () => [], 400],
    ['101 chats', () => Array.from({ length: 101 }, () => chat()), 400],
    [
      '201 messages in two chats',
      () => [chat(...Array.from({ length: 101 }, () => message())), chat(...Array.from({ length: 100 }, () => message()))],
      400,
    ],
    ['an id that is none', () => [{ ...chat(), id: '../1' }], 400],
    ['a long title', () => [{ ...chat(), title: wide(121) }], 400],
    ['a long question', () => [chat(message({ user_message: wide(4_001) }))], 400],
    ['a long answer', () => [chat(message({ ai_response: wide(100_002) }))], 400],
    ['a date that is none', () => [chat(message({ created_at: 'yesterday' }))], 400],
    ['a long date', () => [chat(message({ created_at: `2026-01-01T00:00:00.${'0'.repeat(100_000)}Z` }))], 400],
    ['a key of the prototype', () => [chat(message({ figures: JSON.parse('{"__proto__": {"list": []}}') }))], 400],
    ['a NUL', () => [chat(message({ user_message: 'a\0b' }))], 400],
    ['more than a megabyte', () => [chat(...Array.from({ length: 11 }, () => message({ ai_response: wide(100_000) })))], 413],
  ])('with %s are refused as a whole', async (_what, chats, status) => {
    const bob = await someone();
    const response = await send(bob, chats());
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ status, code: expect.any(String), message: expect.any(String) });
    expect(await rowsOf(bob)).toBe(0);
  });
});
