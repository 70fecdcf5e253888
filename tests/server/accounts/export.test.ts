import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { HOUR } from '#domain/clock.ts';
import { bots } from '#server/db/schema/bots.ts';
import { archives, chats } from '#server/db/schema/chat.ts';
import { contactFiles, contactMessages } from '#server/db/schema/contacts.ts';
import { notifications } from '#server/db/schema/notifications.ts';
import { budgets } from '#server/db/schema/requests.ts';
import { sessions } from '#server/db/schema/sessions.ts';
import { users } from '#server/db/schema/users.ts';
import { openBlobs } from '#server/ports/blobs/open-blobs.ts';
import { bigUser, slowReader } from '#tests/support/accounts/big-export.ts';
import { createFullUser, type FullUser } from '#tests/support/accounts/full-user.ts';
import { unzip } from '#tests/support/accounts/unzip.ts';
import { blackPng } from '#tests/support/charts/pictures.ts';
import { chatterOf } from '#tests/support/chat/chatter.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const SLOW = 240_000;
const HOSTILE = '../../etc/passwd\u0000"; filename="x.exe\r\n<script>';

let server: TestServer;
let skew = 0;
let ada: FullUser;
let isBlobGone = false;
/** Open blob streams. */
const open = new Set<NodeJS.ReadableStream>();

beforeAll(async () => {
  let store: ReturnType<typeof openBlobs>;
  server = await startServer({
    clock: () => Date.now() + skew,
    blobStore: {
      put: (source) => store.put(source),
      has: (blob) => store.has(blob),
      remove: (hash) => store.remove(hash),
      list: () => store.list(),
      deleteUnfinished: (time) => store.deleteUnfinished(time),
      async read(blob) {
        const stream = isBlobGone ? undefined : await store.read(blob);
        if (stream) {
          open.add(stream);
          stream.once('close', () => open.delete(stream));
        }
        return stream;
      },
    },
  });
  store = openBlobs(server.config);
  ada = await createFullUser(server, 12);
}, SLOW);
afterAll(() => server?.close());
// Each test has its own hour, and so its own rate limit.
beforeEach(async () => void (await server.db.delete(budgets)));

const get = ({ authorization }: Pick<SignedUp, 'authorization'>, id: string, init: RequestInit = {}) =>
  fetch(`${server.url}/api/user/${id}/export`, { headers: { authorization }, ...init });

async function files(user: SignedUp) {
  const response = await get(user, user.user.id);
  expect(response.status).toBe(200);
  return unzip(Buffer.from(await response.arrayBuffer()));
}

const json = (all: Map<string, Buffer>, name: string) => JSON.parse(all.get(name)?.toString() ?? 'null');

describe('the export', () => {
  test('holds everything a user made, pictures as files, and nothing secret', { timeout: SLOW }, async () => {
    const response = await get(ada, ada.id);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': expect.stringMatching(/^attachment; filename="tidemark-export-\d{4}-\d\d-\d\d\.zip"$/),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    const all = unzip(Buffer.from(await response.arrayBuffer()));
    const { db } = server;
    const count = (table: typeof chats | typeof notifications | typeof archives) => db.$count(table, eq(table.userId, ada.id));

    expect(json(all, 'profile.json')).toEqual([expect.objectContaining({ email: ada.user.email, first_name: 'Ada' })]);
    expect(json(all, 'subscription.json')).toEqual([expect.objectContaining({ plan: 'PREMIUM' })]);
    expect(json(all, 'chats.json')).toHaveLength(await count(archives));
    const messages = json(all, 'chat-messages.json');
    expect(messages).toHaveLength(await count(chats));
    expect(messages[0]).toMatchObject({
      user_message: 'What is in this picture?',
      picture: expect.stringMatching(/^pictures\/chats\/.*\.png$/),
    });
    expect(messages[1]).toMatchObject({ picture: null });
    expect(all.get(messages[0].picture)?.subarray(1, 4).toString()).toBe('PNG');
    expect(json(all, 'shared-chats.json')).toEqual([expect.objectContaining({ title: 'Shared', archive_id: ada.archiveId, left_out: 1 })]);
    expect(JSON.stringify(json(all, 'shared-chats.json'))).not.toContain('token');
    expect(json(all, 'watchlist.json')).toEqual([expect.objectContaining({ coin_id: 1, symbol: 'BTC' })]);
    expect(json(all, 'alerts.json')).toEqual([expect.objectContaining({ kind: 'above', coin_id: 1, level: 1e12, note: 'Far away' })]);
    expect(json(all, 'alert-history.json')).toEqual([expect.objectContaining({ price: 2, source: 'A market', note: 'Fired' })]);
    expect(json(all, 'notifications.json')).toHaveLength(await count(notifications));
    expect(json(all, 'passkeys.json')).toEqual([{ name: 'Chrome on Linux', created_at: expect.any(String), last_used_at: null }]);
    expect(json(all, 'devices.json')).toHaveLength(1);
    const support = json(all, 'support-messages.json');
    expect(support.map(({ kind }: { kind: string }) => kind)).toEqual(['contact', 'deletion']);
    for (const { pictures } of support) for (const name of pictures) expect(all.get(name)?.length).toBeGreaterThan(50);
    expect(json(all, 'bots.json')).toEqual([expect.objectContaining({ id: ada.botId, name: 'Tide', position_size: 1000 })]);
    expect(json(all, 'deleted-bots.json')).toMatchObject([{ name: 'Ebb' }]);
    expect(json(all, 'bot-trades.json').map((trade: { bot_id: string }) => trade.bot_id)).toContain(json(all, 'deleted-bots.json')[0].id);
    for (const name of ['bot-orders.json', 'bot-trades.json', 'bot-equity.json']) expect(json(all, name).length, name).toBeGreaterThan(0);
    expect(json(all, 'backtests.json')).toEqual([expect.objectContaining({ status: 'DONE' })]);
    expect(json(all, 'bot-journal.json').length).toBeGreaterThan(0);
    expect(all.get('pictures/profile.webp')?.subarray(8, 12).toString()).toBe('WEBP');
    for (const name of all.keys()) if (name.endsWith('.json')) expect(all.get('README.txt')?.toString()).toContain(name);
    expect(all.has('missing-pictures.txt')).toBe(false);

    const [user] = await db.select().from(users).where(eq(users.id, ada.id));
    const [bot] = await db.select().from(bots).where(eq(bots.id, ada.botId));
    const [session] = await db.select().from(sessions).where(eq(sessions.userId, ada.id));
    const secrets = [user?.passwordHash, user?.appUserId, bot?.keyDigest, bot?.sealedKeys.toString('hex'), session?.id, 'paper-demo'];
    const text = [...all].map(([name, content]) => `${name} ${content.toString('latin1')}`).join();
    for (const secret of secrets) expect(text).not.toContain(secret ?? 'a secret that was not found');
  });

  test('is complete when another user has a picture with the same id, as after an import', { timeout: SLOW }, async () => {
    const before = json(await files(ada), 'chat-messages.json');
    const bea = await chatterOf(server);
    bea.socket.disconnect();
    await bea.upload(blackPng(14, 14), before[0].picture.match(/[^/]+(?=\.png$)/)[0]);
    expect(json(await files(ada), 'chat-messages.json')).toEqual(before);
  });

  test('says which version its format has, and has all parts of an answer', { timeout: SLOW }, async () => {
    const before = Date.now() + skew;
    const all = await files(ada);
    const { format, exported_at } = json(all, 'export.json');
    expect(format).toBe(1);
    expect(Date.parse(exported_at)).toBeGreaterThanOrEqual(before);
    const { db } = server;
    const parts = { coins: [1, 1027], choices: ['Since when?'], marks: { levels: [] }, figures: { sources: [], list: [] } };
    await db
      .update(chats)
      .set(parts)
      .where(and(eq(chats.userId, ada.id), eq(chats.position, 2)));
    const messages = json(await files(ada), 'chat-messages.json');
    expect(messages.map(({ position }: { position: number }) => position)).toEqual([1, 2]);
    expect(messages[1]).toMatchObject(parts);
  });

  test('has no name that a user chose, whatever they call things', { timeout: SLOW }, async () => {
    const bob = await server.signUp();
    const row = { userId: bob.user.id, createdAt: new Date() };
    const name = HOSTILE.replaceAll('\u0000', '');
    await server.db.insert(archives).values({ ...row, id: randomUUID(), title: name });
    const message = { ...row, kind: 'contact', name, email: 'x@example.com', message: name } as const;
    const [sent] = await server.db.insert(contactMessages).values(message).returning();
    await server.db.insert(contactFiles).values({ messageId: sent?.id ?? '', place: 1, name, type: name, bytes: blackPng(1, 1), size: 1 });
    const all = await files(bob);
    expect(json(all, 'chats.json')).toEqual([expect.objectContaining({ title: name })]);
    for (const entry of all.keys()) expect(entry).toMatch(/^[\w-]+(\/[\w-]+)*\.[a-zA-Z]+$/);
    expect([...all.keys()]).toContain(`pictures/support/${sent?.id}-1.bin`);
    // Rows of older releases contain the picture itself.
    expect(all.get(`pictures/support/${sent?.id}-1.bin`)).toEqual(blackPng(1, 1));
  });

  test('names pictures that the server lost, and is whole otherwise', { timeout: SLOW }, async () => {
    isBlobGone = true;
    const all = await files(ada);
    isBlobGone = false;
    expect(all.get('missing-pictures.txt')?.toString()).toContain('pictures/profile.webp');
    expect(json(all, 'chat-messages.json')).toHaveLength(2);
  });

  test('of 300 chats with 3,000 messages and 10 pictures has each of them once', { timeout: SLOW }, async () => {
    const carol = await chatterOf(server);
    carol.socket.disconnect();
    const { id: userId } = carol.who.user;
    for (let picture = 0; picture < 10; picture++) await carol.upload(blackPng(20 + picture, 20));
    const createdAt = new Date();
    const opened = Array.from({ length: 300 }, (_, at) => ({ userId, id: randomUUID(), title: `Chat ${at}`, createdAt }));
    await server.db.insert(archives).values(opened);
    const messages = opened.flatMap(({ id: archiveId }) =>
      Array.from({ length: 10 }, (_, position) => ({ archiveId, position, userMessage: 'q', aiResponse: 'a'.repeat(2000) })),
    );
    for (let first = 0; first < messages.length; first += 500) {
      const rows = messages.slice(first, first + 500).map((message) => ({ ...message, userId, id: randomUUID(), answeredAt: createdAt }));
      await server.db.insert(chats).values(rows);
    }
    const all = await files(carol.who);
    const ids = (name: string) => new Set(json(all, name).map(({ id }: { id: string }) => id)).size;
    expect([ids('chats.json'), json(all, 'chats.json').length]).toEqual([300, 300]);
    expect([ids('chat-messages.json'), json(all, 'chat-messages.json').length]).toEqual([3000, 3000]);
    expect([...all.keys()].filter((name) => name.startsWith('pictures/chats/'))).toHaveLength(10);
  });
});

describe('asking for it', () => {
  test("another user's is not found, and none without a token", async () => {
    const other = await server.signUp();
    expect((await get(other, ada.id)).status).toBe(404);
    expect((await fetch(`${server.url}/api/user/${ada.id}/export`)).status).toBe(401);
  });

  test('is answered three times an hour', { timeout: SLOW }, async () => {
    // The hours of the limit are those of the clock: at the start of one, no other begins meanwhile.
    skew += HOUR - ((Date.now() + skew) % HOUR);
    const who = await server.signUp();
    for (let time = 0; time < 3; time++) expect((await files(who)).size).toBeGreaterThan(10);
    const refused = await get(who, who.user.id);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600']);
    skew += HOUR;
    const login = await server.post('/auth/login/', { email: who.user.email, password: who.password });
    const { data } = (await login.json()) as { data: { accessToken: string } };
    const again = await get({ authorization: `Bearer ${data.accessToken}` }, who.user.id);
    expect(again.status).toBe(200);
    await again.arrayBuffer();
  });

  test('by readers who take nothing makes others wait, and frees everything when they leave or are signed out', {
    timeout: SLOW,
  }, async () => {
    const users = [await bigUser(server), await bigUser(server), await server.signUp()] as const;
    const readers = [await slowReader(server, users[0]), await slowReader(server, users[1])] as const;
    expect((await get(users[0], users[0].user.id)).status).toBe(429);
    const refused = await get(users[2], users[2].user.id);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect(open.size).toBeGreaterThan(0);

    readers[0].destroy();
    await vi.waitFor(async () => expect((await get(users[2], users[2].user.id)).status).toBe(200), { timeout: 30_000 });
    const { authorization } = users[1];
    const logout = await server.post('/auth/logout/', { refreshToken: users[1].tokens.refreshToken }, { authorization });
    expect(logout.status).toBe(200);
    await vi.waitFor(() => expect(open.size).toBe(0), { timeout: 30_000 });
    // After the buffered data the ZIP is truncated.
    const cut = new Promise((resolve) => readers[1].once('close', () => resolve(readers[1].complete)));
    readers[1].resume();
    expect(await cut).toBe(false);
  });
});
