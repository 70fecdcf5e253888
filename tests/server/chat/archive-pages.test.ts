import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Archive, archivesAnswer } from '#contract/chat/archive.ts';
import { ARCHIVES_PAGE, MAX_ARCHIVES, MAX_SEARCH } from '#contract/chat/archive-limits.ts';
import { conversationAnswer, MAX_MESSAGES_PAGE } from '#contract/chat/chat.ts';
import { archives, chats } from '#server/db/schema/chat.ts';
import { searchPage } from '#server/modules/archives/search.ts';
import { createArchives } from '#server/modules/archives/service.ts';
import type { Place } from '#server/modules/archives/store.ts';
import { type Chatter, chatterOf } from '#tests/support/chat/chatter.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

let server: TestServer;
const open: Chatter[] = [];

beforeAll(async () => {
  server = await startServer({ planOf: async () => 'PREMIUM' });
});
afterAll(async () => {
  for (const { socket } of open) socket.disconnect();
  await server.close();
});

async function arrive(): Promise<Chatter> {
  const chatter = await chatterOf(server);
  open.push(chatter);
  return chatter;
}

const START = Date.UTC(2026, 0, 1);

/** Inserts archives, oldest first, two with each timestamp, titled `chat` and their number. */
async function plant({ who }: Chatter, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, index) => ({
    userId: who.user.id,
    id: randomUUID(),
    title: `Chat ${index}`,
    foldedTitle: `chat ${index}`,
    createdAt: new Date(START + Math.floor(index / 2)),
  }));
  for (let from = 0; from < count; from += 1000) await server.db.insert(archives).values(rows.slice(from, from + 1000));
  return rows.map(({ id }) => id);
}

/** Inserts the questions of an archive, at positions from 1. */
async function say({ who }: Chatter, archiveId: string, said: readonly string[]): Promise<void> {
  const answeredAt = new Date(START);
  const rows = said.map((folded, index) => ({
    ...{ userId: who.user.id, id: randomUUID(), archiveId, position: index + 1, userMessage: folded, folded, answeredAt },
  }));
  for (let from = 0; from < rows.length; from += 1000) await server.db.insert(chats).values(rows.slice(from, from + 1000));
}

async function page({ who, call }: Chatter, text = '', cursor?: string) {
  const response = await call(`/user/${who.user.id}/archives/${encodeURIComponent(text)}${cursor ? `?cursor=${cursor}` : ''}`);
  expect(response.status).toBe(200);
  return archivesAnswer.parse(await response.json());
}

async function everyPage(chatter: Chatter, text = '') {
  const pages: Archive[][] = [];
  for (let cursor: string | undefined; ; ) {
    const { data, next } = await page(chatter, text, cursor);
    pages.push(data);
    if (!next) return pages;
    cursor = next;
  }
}

describe('the list', () => {
  test('comes in pages of a hundred, each row once and newest first, whatever is begun or deleted meanwhile', async () => {
    const chatter = await arrive();
    const ids = await plant(chatter, 250);
    const pages = await everyPage(chatter);
    expect(pages.map(({ length }) => length)).toEqual([ARCHIVES_PAGE, ARCHIVES_PAGE, 50]);
    const listed = pages.flat();
    expect(new Set(listed.map(({ id }) => id))).toEqual(new Set(ids));
    const keys = listed.map(({ created_at, id }) => `${created_at} ${id}`);
    expect(keys).toEqual(keys.toSorted().toReversed());

    const { next } = await page(chatter);
    await chatter.ask();
    await chatter.call(`/archive/${pages[0]?.at(-1)?.id}`, { method: 'DELETE' });
    expect((await page(chatter, '', next ?? '')).data).toEqual(pages[1]);
  });

  test('has the start of the newest question of each row, in searches too', async () => {
    const chatter = await arrive();
    const [picture = '', long = '', empty = ''] = await plant(chatter, 3);
    await say(chatter, picture, ['First', '']);
    await say(chatter, long, ['Older', `  What is\n\nBTC's ${'🚀'.repeat(5000)}`]);
    const stranger = await arrive();
    await plant(stranger, 1);
    for (const text of ['', 'chat']) {
      const previews = new Map((await page(chatter, text)).data.map(({ id, preview }) => [id, preview]));
      expect(previews).toEqual(
        new Map([
          [empty, undefined],
          [long, `What is BTC's ${'🚀'.repeat(86)}`],
          [picture, ''],
        ]),
      );
    }
    expect((await page(stranger)).data.map(({ preview }) => preview)).toEqual([undefined]);
  });

  test('has the start of an answer instead, as plain text, and says what it is and whether it is of the user', async () => {
    const chatter = await arrive();
    const [waiting = '', failed = '', own = '', market = ''] = await plant(chatter, 4);
    for (const id of [waiting, failed, own, market]) await say(chatter, id, ['Older', 'Newest']);
    const told = (id: string, row: Partial<typeof chats.$inferInsert>) =>
      server.db
        .update(chats)
        .set(row)
        .where(and(eq(chats.archiveId, id), eq(chats.position, 2)));
    await told(waiting, { answeredAt: null, claimedUntil: new Date(Date.now() + 60_000) });
    await told(failed, { failed: true, aiResponse: 'Sorry' });
    const sources = (tool: string) => ({ sources: [{ tool, name: 'x', asOf: '2026-05-13T09:30:00.000Z' }], list: [] });
    await told(own, { aiResponse: 'You have **$5**.', figures: sources('account') });
    await told(market, { aiResponse: `## Bitcoin\n\nis at [$5](https://x.test) ${'z'.repeat(100_000)}`, figures: sources('quotes') });
    const rows = new Map(
      (await page(chatter)).data.map(({ id, preview, preview_of, preview_own }) => [id, [preview, preview_of, preview_own]]),
    );
    expect(rows.get(waiting)).toEqual(['Newest', 'waiting', undefined]);
    expect(rows.get(failed)).toEqual(['Newest', 'failed', undefined]);
    expect(rows.get(own)).toEqual(['You have $5.', 'answer', true]);
    expect(rows.get(market)).toEqual([`Bitcoin is at $5 ${'z'.repeat(83)}`, 'answer', undefined]);
  });

  test('says where it ends, also when its last page is full', async () => {
    const chatter = await arrive();
    expect(await page(chatter)).toEqual({ status: 200, data: [], next: null, pinned: [] });
    await plant(chatter, ARCHIVES_PAGE);
    expect((await page(chatter)).next).toBeNull();
  });

  test.each([
    'x',
    'a.b',
    '%00',
    'x'.repeat(101),
    Buffer.from(`+275760-09-13T00:00:00.000Z ${randomUUID()}`).toString('base64url'),
    Buffer.from(`0000-01-01T00:00:00.000Z ${randomUUID()}`).toString('base64url'),
    Buffer.from(`2026-99-99T00:00:00.000Z ${randomUUID()}`).toString('base64url'),
    Buffer.from(`2026-01-01T00:00:00.000Z' or 1=1`).toString('base64url'),
  ])('answers 400 for the cursor %j', async (cursor) => {
    const { who, call } = open[0] ?? (await arrive());
    for (const text of ['', 'chat']) {
      expect((await call(`/user/${who.user.id}/archives/${text}?cursor=${cursor}`)).status).toBe(400);
    }
  });

  test("continues after another user's cursor among one's own", async () => {
    const [ann, bob] = [await arrive(), await arrive()];
    await plant(ann, ARCHIVES_PAGE + 1);
    const { next } = await page(ann);
    expect((await page(bob, '', next ?? '')).data).toEqual([]);
  });
});

describe('one conversation too many', () => {
  test('is refused with 409, by route and by question; existing ones still work', async () => {
    const chatter = await arrive();
    const [first = ''] = await plant(chatter, MAX_ARCHIVES - 1);
    const body = { userId: chatter.who.user.id, id: randomUUID() };
    const create = () => chatter.call('/chat/archives/', { method: 'POST', body });
    // Of two concurrent requests for the last place, one succeeds.
    const both = await Promise.all([create(), chatter.call('/chat/archives/', { method: 'POST', body: { ...body, id: randomUUID() } })]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    const refused = {
      status: 409,
      code: 'too_many_archives',
      message: 'You have 5,000 chats. Delete some to start a new one.',
    };
    const response = await chatter.call('/chat/archives/', { method: 'POST', body: { ...body, id: randomUUID() } });
    expect([response.status, await response.json()]).toEqual([409, refused]);
    expect(await chatter.send({ archive_id: randomUUID() })).toEqual({ error: refused });
    expect(await chatter.send({ archive_id: first })).toHaveProperty('chat');
    expect(await server.db.$count(archives, eq(archives.userId, chatter.who.user.id))).toBe(MAX_ARCHIVES);

    await chatter.call(`/archive/${first}`, { method: 'DELETE' });
    expect(await chatter.send({ archive_id: randomUUID() })).toHaveProperty('chat');
  });
});

describe('searching', () => {
  test('finds in titles, questions and answers over all pages, each once and newest first', async () => {
    const chatter = await arrive();
    const ids = await plant(chatter, 350);
    for (const place of [3, 120, 349]) await say(chatter, ids[place] ?? '', ['something', 'a needle in it']);
    // At the very beginning of a long conversation.
    await say(chatter, ids[200] ?? '', ['needle', ...Array.from({ length: 450 }, (_, index) => `more ${index}`)]);
    const found = (await everyPage(chatter, 'Needle')).flat();
    expect(found.map(({ id }) => id)).toEqual([349, 200, 120, 3].map((place) => ids[place]));
    const titled = await everyPage(chatter, 'chat');
    expect(titled.map(({ length }) => length)).toEqual([100, 100, 100, 50]);
    expect(new Set(titled.flat().map(({ id }) => id)).size).toBe(350);
  });

  test('scans a limited number of questions for one page, and continues with the next', async () => {
    const chatter = await arrive();
    const ids = await plant(chatter, 5);
    await say(chatter, ids[0] ?? '', ['the needle']);
    // Each conversation is longer than one page may scan. The match is at the end of one.
    await say(chatter, ids[2] ?? '', ['the needle', ...Array.from({ length: 20 }, () => 'hay')]);
    await say(chatter, ids[4] ?? '', [...Array.from({ length: 20 }, () => 'hay'), 'the needle']);
    const pages: string[][] = [];
    for (let after: Place | undefined; ; ) {
      const search = { userId: chatter.who.user.id, needle: 'needle', after };
      const { rows, next } = await searchPage(server.db, search, { piece: 2, most: 5 });
      pages.push(rows.map(({ id }) => id));
      if (!next) break;
      after = next;
    }
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.flat()).toEqual([ids[4], ids[0]]);
  });

  test('refuses a text that is too long', async () => {
    const { who, call } = await arrive();
    expect((await call(`/user/${who.user.id}/archives/${'x'.repeat(MAX_SEARCH + 1)}`)).status).toBe(400);
    expect((await call(`/user/${who.user.id}/archives/${encodeURIComponent('é'.repeat(MAX_SEARCH))}`)).status).toBe(200);
  });

  test('of one user run one at a time, and another user does not wait for them; too many are refused', async () => {
    const [hostile, other] = [await arrive(), await arrive()];
    const ids = await plant(hostile, 6);
    for (const id of ids)
      await say(
        hostile,
        id,
        Array.from({ length: 50 }, () => 'a'.repeat(1000)),
      );
    const { search } = createArchives({ db: server.db, clock: Date.now });
    const ended: string[] = [];
    const find = ({ who }: Chatter, name: string) => search(who.user.id, `b${'a'.repeat(MAX_SEARCH - 1)}`).finally(() => ended.push(name));
    const searches = Array.from({ length: 8 }, (_, index) => find(hostile, `hostile ${index}`));
    searches.push(find(other, 'other'));
    const outcomes = await Promise.allSettled(searches);
    expect(outcomes.map(({ status }) => status)).toEqual([...Array(6).fill('fulfilled'), 'rejected', 'rejected', 'fulfilled']);
    expect(outcomes[7]).toMatchObject({ reason: { status: 429 } });
    // The two refused requests finish first.
    expect(ended.indexOf('other')).toBeLessThan(4);
  });
});

test('a conversation answers its last five hundred questions at most, and says which conversation it is', async () => {
  const chatter = await arrive();
  const [id = ''] = await plant(chatter, 1);
  await say(
    chatter,
    id,
    Array.from({ length: 600 }, (_, index) => `question ${index + 1}`),
  );
  for (const query of ['', '?limit=9999']) {
    const { data, total, archive } = conversationAnswer.parse(await (await chatter.call(`/archive/${id}/chats${query}`)).json());
    expect([data.length, data.at(-1)?.position, total]).toEqual([MAX_MESSAGES_PAGE, 600, 600]);
    expect(archive).toEqual({ id, archive_title: 'Chat 0', created_at: new Date(START).toISOString() });
  }
});
