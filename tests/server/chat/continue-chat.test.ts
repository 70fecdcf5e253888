import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { archiveAnswer } from '#contract/chat/archive.ts';
import { MAX_ARCHIVES } from '#contract/chat/archive-limits.ts';
import { MAX_CONTINUED } from '#contract/chat/continue-chat.ts';
import { MAX_IMPORTED_A_DAY } from '#contract/chat/import-chats.ts';
import { archives, charges, chats } from '#server/db/schema/chat.ts';
import { budgets } from '#server/db/schema/requests.ts';
import { continuedTitle } from '#server/modules/chat/continue/continued-title.ts';
import { blackPng } from '#tests/support/charts/pictures.ts';
import { type Chatter, chatterOf } from '#tests/support/chat/chatter.ts';
import { scriptedAnalyst } from '#tests/support/chat/scripted-analyst.ts';
import { next } from '#tests/support/server/realtime.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

const analyst = scriptedAnalyst();
let server: TestServer;
const open: Chatter[] = [];
beforeAll(async () => {
  server = await startServer({ analyst, planOf: async () => 'PREMIUM' });
});
afterAll(async () => {
  for (const { socket } of open) socket.disconnect();
  await server.close();
});

async function someone(known?: Chatter): Promise<Chatter> {
  const chatter = await chatterOf(server, known?.who);
  open.push(chatter);
  return chatter;
}
/** Asks questions in a new chat. */
async function converse(chatter: Chatter, questions: readonly string[]): Promise<{ archiveId: string; ids: string[] }> {
  const archiveId = randomUUID();
  const ids: string[] = [];
  for (const message of questions) ids.push((await chatter.ask({ archive_id: archiveId, message })).question.client_id);
  return { archiveId, ids };
}
const post = (chatter: Chatter, archiveId: string, body: object) =>
  chatter.call(`/archive/${archiveId}/continue`, { method: 'POST', body });
async function go(chatter: Chatter, archiveId: string, chat_id = '', id: string = randomUUID()) {
  const response = await post(chatter, archiveId, { id, chat_id });
  expect(response.status).toBe(201);
  return archiveAnswer.parse(await response.json()).data;
}
const code = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code];

describe('a chat that continues another one', () => {
  test('has its messages up to the answer, costs and asks nothing, and leaves it as it is', async () => {
    const ann = await someone();
    const { archiveId, ids } = await converse(ann, ['Staking?', 'Where?', 'When?']);
    await ann.call(`/chat/${ids[0]}/rating`, { method: 'PUT', body: { rating: 'up' } });
    const figures = { sources: [{ tool: 'quotes', name: 'Kraken', asOf: '2026-05-13T09:30:00.000Z' }], list: [] };
    await server.db
      .update(chats)
      .set({ figures, coins: [1], choices: ['Yes?'], action: { kind: 'watch', watched: true, coins: [{ id: 1, name: 'B', symbol: 'B' }] } })
      .where(eq(chats.id, ids[1] as string));
    const before = await ann.chats(archiveId);
    const [left, asked] = [await ann.left(), analyst.asked.length];
    const made = await go(ann, archiveId, ids[1]);
    const copied = await ann.chats(made.id);
    const same = ({ user_message, ai_response, position, created_at, coins, choices, figures: told }: (typeof copied)[number]) => ({
      ...{ user_message, ai_response, position, created_at, coins, choices, told },
    });
    expect(copied.map(same)).toEqual(before.slice(0, 2).map(same));
    expect(copied[1]?.figures).toEqual(figures);
    expect(copied.map(({ rating, action }) => [rating, action])).toEqual([
      [null, null],
      [null, null],
    ]);
    expect(copied.some(({ id }) => ids.includes(id))).toBe(false);
    expect(await ann.chats(archiveId)).toEqual(before);
    expect([await ann.left(), analyst.asked.length]).toEqual([left, asked]);
    expect(await server.db.$count(charges, eq(charges.userId, ann.who.user.id))).toBe(3);

    await ann.ask({ archive_id: made.id, message: 'And now?' });
    expect(analyst.asked.at(-1)?.history.map(({ question }) => question)).toEqual(['Staking?', 'Where?']);
    expect((await ann.chats(made.id)).map(({ position }) => position)).toEqual([1, 2, 3]);
    expect(await ann.chats(archiveId)).toEqual(before);
  });

  test('is one, however often and however many at once ask for it', async () => {
    const ann = await someone();
    const { archiveId, ids } = await converse(ann, ['Staking?']);
    const id = randomUUID();
    const made = await Promise.all([1, 2, 3, 4].map(() => go(ann, archiveId, ids[0], id)));
    expect(new Set(made.map((row) => JSON.stringify(row))).size).toBe(1);
    await go(ann, archiveId, ids[0], id.toUpperCase());
    expect(await ann.chats(id)).toHaveLength(1);
    await ann.ask({ archive_id: id, message: 'On' });
    await go(ann, archiveId, ids[0], id);
    expect(await ann.chats(id)).toHaveLength(2);
  });

  test('has a title of its own, which other devices hear of', async () => {
    const ann = await someone();
    const phone = await someone(ann);
    const { archiveId, ids } = await converse(ann, ['Staking']);
    const id = randomUUID();
    const told = next(phone.socket, 'generate_title_response', ({ archive_id }) => archive_id === id);
    expect((await go(ann, archiveId, ids[0], id)).archive_title).toBe('Staking, continued');
    expect(await told).toMatchObject({ title: 'Staking, continued' });
    expect((await go(ann, archiveId, ids[0])).archive_title).toBe('Staking, continued (2)');
    const [copied] = await ann.chats(id);
    expect((await go(ann, id, copied?.id)).archive_title).toBe('Staking, continued (3)');
  });

  test('keeps its pictures when the earlier chat is deleted', async () => {
    const ann = await someone();
    const archiveId = randomUUID();
    const chat_image = await ann.upload(blackPng(40, 40));
    const { question } = await ann.ask({ archive_id: archiveId, message: 'This?', chat_image });
    const { id } = await go(ann, archiveId, question.client_id);
    await ann.call(`/archive/${archiveId}`, { method: 'DELETE' });
    const [copied] = await ann.chats(id);
    expect(copied?.chat_image).toBe(`/chat/images/${chat_image}`);
    expect((await ann.call(copied?.chat_image ?? '')).status).toBe(200);
    await ann.call(`/archive/${id}`, { method: 'DELETE' });
    expect((await ann.call(copied?.chat_image ?? '')).status).toBe(404);
  });

  test(`has the last ${MAX_CONTINUED} messages, without those that wait for an answer`, async () => {
    const ann = await someone();
    const archiveId = randomUUID();
    await server.db.insert(archives).values({ userId: ann.who.user.id, id: archiveId, title: '' });
    const rows = Array.from({ length: MAX_CONTINUED + 5 }, (_, index) => ({
      ...{ userId: ann.who.user.id, id: randomUUID(), archiveId, position: index + 1, userMessage: `Q${index + 1}`, aiResponse: 'A' },
      answeredAt: index === 100 ? null : new Date(),
      claimedUntil: index === 100 ? new Date(Date.now() + 60_000) : null,
    }));
    await server.db.insert(chats).values(rows);
    const made = await go(ann, archiveId, rows.at(-1)?.id);
    expect(made.archive_title).toBe('');
    const said = (await ann.chats(made.id)).map(({ user_message }) => user_message);
    expect([said.length, said[0], said.at(-1), said.includes('Q101')]).toEqual([MAX_CONTINUED - 1, 'Q6', `Q${MAX_CONTINUED + 5}`, false]);
    expect(await code(await post(ann, archiveId, { id: randomUUID(), chat_id: rows[100]?.id ?? '' }))).toEqual([409, 'not_answered']);
  });

  test("is not made of another user's chat, of an unknown message, or of one of another chat", async () => {
    const ann = await someone();
    const bob = await someone();
    const [one, other] = [await converse(ann, ['One']), await converse(ann, ['Other'])];
    const refused = async (chatter: Chatter, archiveId: string, chat_id = '') =>
      code(await post(chatter, archiveId, { id: randomUUID(), chat_id }));
    expect(await refused(bob, one.archiveId, one.ids[0])).toEqual([404, 'not_found']);
    expect(await refused(ann, one.archiveId, other.ids[0])).toEqual([404, 'not_found']);
    expect(await refused(ann, one.archiveId, randomUUID())).toEqual([404, 'not_found']);
    expect((await refused(ann, one.archiveId, 'x'))[0]).toBe(400);
    expect(await server.db.$count(archives, eq(archives.userId, bob.who.user.id))).toBe(0);
  });

  test('is refused beyond the chats of an account and beyond the characters of a day', async () => {
    const ann = await someone();
    const { archiveId, ids } = await converse(ann, ['One']);
    const many = Array.from({ length: MAX_ARCHIVES - 1 }, () => ({ userId: ann.who.user.id, id: randomUUID() }));
    for (let from = 0; from < many.length; from += 1000) await server.db.insert(archives).values(many.slice(from, from + 1000));
    const body = () => ({ id: randomUUID(), chat_id: ids[0] ?? '' });
    expect(await code(await post(ann, archiveId, body()))).toEqual([409, 'too_many_archives']);
    await server.db.delete(archives).where(and(eq(archives.userId, ann.who.user.id), eq(archives.id, many[0]?.id ?? '')));
    await server.db
      .update(budgets)
      .set({ used: MAX_IMPORTED_A_DAY })
      .where(eq(budgets.key, `continue ${ann.who.user.id}`));
    expect(await code(await post(ann, archiveId, body()))).toEqual([429, 'too_many_requests']);
    expect(await server.db.$count(chats, eq(chats.userId, ann.who.user.id))).toBe(1);
  });
});

test.each([
  ['Staking', 'Staking, continued'],
  ['Staking, continued', 'Staking, continued'],
  ['Staking, continued (12)', 'Staking, continued'],
  ['', ''],
  [', continued', ''],
  ['What is the best way to stake?', 'What is the best way to…, continued'],
  ['🚀'.repeat(120), `${'🚀'.repeat(23)}…, continued`],
])('"%s" is continued as "%s"', (title, continued) => {
  expect(continuedTitle(title)).toBe(continued);
});
