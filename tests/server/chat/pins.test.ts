import { randomUUID } from 'node:crypto';
import { and, eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archiveAnswer, archivesAnswer } from '#contract/chat/archive.ts';
import { ARCHIVES_PAGE, MAX_PINS } from '#contract/chat/archive-limits.ts';
import { archives } from '#server/db/schema/chat.ts';
import { type Chatter, chatterOf } from '#tests/support/chat/chatter.ts';
import { next } from '#tests/support/server/realtime.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

let server: TestServer;
const open: Chatter[] = [];
beforeAll(async () => {
  server = await startServer();
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
/** Inserts chats, the oldest first. */
async function plant({ who }: Chatter, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, index) => ({
    userId: who.user.id,
    id: randomUUID(),
    title: `Chat ${index}`,
    createdAt: new Date(Date.UTC(2026, 0, 1) + index),
  }));
  await server.db.insert(archives).values(rows);
  return rows.map(({ id }) => id);
}
const put = (chatter: Chatter, id: string, pinned: unknown, key?: string) =>
  chatter.call(`/archive/${id}/pin`, { method: 'PUT', body: { pinned }, headers: key ? { 'idempotency-key': key } : {} });
async function pin(chatter: Chatter, id: string, pinned = true) {
  const response = await put(chatter, id, pinned);
  expect(response.status).toBe(200);
  return archiveAnswer.parse(await response.json()).data;
}
async function list(chatter: Chatter, search = '') {
  return archivesAnswer.parse(await (await chatter.call(`/user/${chatter.who.user.id}/archives/${search}`)).json());
}
const pinned = async (chatter: Chatter) => (await list(chatter)).pinned?.map(({ id }) => id);

test('pinned chats come with the first page, the last pinned first, and keep their place when they are pinned again', async () => {
  const ann = await someone();
  const [oldest = '', ...others] = await plant(ann, ARCHIVES_PAGE + 5);
  const newest = others.at(-1) as string;
  expect(await pinned(ann)).toEqual([]);
  await pin(ann, oldest);
  await pin(ann, newest);
  await pin(ann, oldest);
  const { data, pinned: rows = [] } = await list(ann);
  expect(rows.map(({ id }) => id)).toEqual([newest, oldest]);
  expect(rows.map(({ archive_title }) => archive_title)).toEqual([`Chat ${ARCHIVES_PAGE + 4}`, 'Chat 0']);
  expect(data.map(({ id }) => id).includes(oldest)).toBe(false);
  expect(data[0]).toEqual(rows[0]);
  expect((await list(ann, 'chat')).pinned).toBeUndefined();
  await pin(ann, newest, false);
  expect(await pinned(ann)).toEqual([oldest]);
  expect((await list(ann)).data[0]?.pinned_at).toBeUndefined();
});

test('one more than the limit is refused, also of many at once, and a place that is free again can be taken', async () => {
  const ann = await someone();
  const ids = await plant(ann, MAX_PINS + 3);
  const answers = await Promise.all(ids.map((id) => put(ann, id, true)));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(MAX_PINS).fill(200), 409, 409, 409]);
  const refused = answers.findIndex(({ status }) => status === 409);
  expect(await answers[refused]?.json()).toMatchObject({
    code: 'too_many_pins',
    message: `You have ${MAX_PINS} pinned chats. Unpin one to pin another.`,
  });
  const [first = ''] = (await pinned(ann)) ?? [];
  await pin(ann, first, false);
  await pin(ann, ids[refused] as string);
  expect(await pinned(ann)).toHaveLength(MAX_PINS);
});

test('the other devices of the user hear of a pin and of its end, once a request, and no one else', async () => {
  const ann = await someone();
  const phone = await someone(ann);
  const bob = await someone();
  const heard: unknown[] = [];
  bob.socket.on('generate_title_response', (event) => heard.push(event));
  const [id = ''] = await plant(ann, 1);
  const told = next(phone.socket, 'generate_title_response', ({ archive_id }) => archive_id === id);
  const key = randomUUID();
  await put(ann, id, true, key);
  expect(await told).toEqual({ archive_id: id, title: 'Chat 0', pinned_at: (await list(ann)).pinned?.[0]?.pinned_at });
  const ended = next(phone.socket, 'generate_title_response', ({ pinned_at }) => pinned_at === null);
  await pin(ann, id, false);
  expect(await ended).toMatchObject({ archive_id: id, pinned_at: null });
  await put(ann, id, true, key); // a repetition answers as before, and changes nothing
  expect(await pinned(ann)).toEqual([]);
  expect(heard).toEqual([]);
});

test("another user's chat, an unknown one and a body without a choice are refused", async () => {
  const ann = await someone();
  const bob = await someone();
  const [id = ''] = await plant(ann, 1);
  expect((await put(bob, id, true)).status).toBe(404);
  expect((await put(ann, randomUUID(), true)).status).toBe(404);
  for (const body of ['yes', 1, null, undefined]) expect((await put(ann, id, body)).status).toBe(400);
  expect(await pinned(ann)).toEqual([]);
});

test('a pin goes with its chat', async () => {
  const ann = await someone();
  const [first = '', second = ''] = await plant(ann, 2);
  await pin(ann, first);
  await pin(ann, second);
  await ann.call(`/archive/${second}`, { method: 'DELETE' });
  expect(await pinned(ann)).toEqual([first]);
});

test('an import pins what was pinned, as far as there are places', async () => {
  const ann = await someone();
  const ids = await plant(ann, MAX_PINS - 1);
  await server.db
    .update(archives)
    .set({ pinnedAt: new Date(Date.UTC(2026, 1, 1)) })
    .where(and(eq(archives.userId, ann.who.user.id), inArray(archives.id, ids)));
  const chat = (pinned_at?: string | null) => ({
    id: randomUUID(),
    title: 'T',
    created_at: '2026-01-01T00:00:00Z',
    pinned_at,
    messages: [],
  });
  const [one, two, three] = [chat('2026-03-01T00:00:00Z'), chat('2026-03-02T00:00:00Z'), chat(null)];
  const body = { preview: false, chats: [one, two, three] };
  expect((await ann.call(`/user/${ann.who.user.id}/archives/import`, { method: 'POST', body })).status).toBe(200);
  const rows = (await list(ann)).pinned ?? [];
  expect(rows).toHaveLength(MAX_PINS);
  expect(rows[0]).toMatchObject({ id: one?.id, pinned_at: '2026-03-01T00:00:00.000Z' });
});
