import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listedCoin, useListedCoins } from '#client/coins/listed-coins.ts';
import { archives, firstEdge } from '#client/features/archive/archives.ts';
import { parseMarkdown, prepareMarkdown } from '#client/features/chat/answer/markdown.tsx';
import { readDraft, writeDraft } from '#client/features/chat/compose/drafts.ts';
import { clearKind } from '#client/features/storage/clear-kind.ts';
import { type KindId, kinds } from '#client/features/storage/kinds.ts';
import { measure, sizeOf } from '#client/features/storage/measure.ts';
import { recall, remember } from '#client/platform/cache/memory.ts';
import { readAhead, resultAhead } from '#client/platform/cache/read-ahead.ts';
import { deviceDb } from '#client/platform/db/device-db.ts';
import { type UserDb, userDb } from '#client/platform/db/user-db.ts';
import { enqueue } from '#client/platform/outbox/outbox.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import type { CryptoItem } from '#contract/market/market.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { firingOf, storedAlert } from '#tests/support/alerts/stored-alert.ts';
import { ARCHIVE, chatRow, unanswered } from '#tests/support/chat/chat-rows.ts';

const OTHER = '0d5a7f0e-2f4c-4a55-9a39-0a4d1b0c2d22';
const QUESTION = '11111111-2f4c-4a55-9a39-0a4d1b0c2d22';
const PICTURE = '22222222-2f4c-4a55-9a39-0a4d1b0c2d22';
const coin = (id: number): CryptoItem => ({ id, symbol: `C${id}`, name: `Coin ${id}`, rank: id, quote: {} });
const bytes = (count: number) => new Uint8Array(count).buffer;
const picture = { name: 'a.png', type: 'image/png', width: 1, height: 1 };

let users = 0;
let db: UserDb;

/** A device with data of every kind, sent and unsent. */
beforeEach(async () => {
  users += 1;
  db = userDb(`stored-${users}`);
  const archive = (id: string) => ({ id, archive_title: 'Title', created_at: '2026-01-01T00:00:00.000Z' });
  await db.archives.bulkPut([archive(ARCHIVE), archive(OTHER)]);
  await db.messages.bulkPut([chatRow({ id: 'read' }), unanswered({ id: QUESTION, archive_id: OTHER })]);
  const message = { client_id: QUESTION, user_id: 'me', archive_id: OTHER, message: 'Why?', chat_id: 0 as const, chat_image: PICTURE };
  await enqueue(db, { id: QUESTION, lane: 'chat', body: { message, newArchive: true }, createdAt: 1 });
  await db.attachments.bulkPut([
    { ...picture, id: PICTURE, bytes: bytes(1000) },
    { ...picture, id: 'drafted', bytes: bytes(2000) },
  ]);
  await db.drafts.put({ key: 'new', text: 'Half a', imageId: 'drafted', editing: null });
  await db.drafts.put({ key: ARCHIVE, text: 'Again', imageId: PICTURE, editing: null });
  await db.drafts.put({
    key: 'contact',
    text: 'Help',
    imageId: null,
    editing: null,
    files: [{ id: 'enclosed', name: 'b.png', type: 'image/png', size: 500 }],
  });
  await db.images.bulkPut([
    { path: '/chat/images/1/preview', type: 'image/webp', bytes: bytes(300) },
    { path: 'draft/enclosed', type: 'image/png', bytes: bytes(500) },
  ]);
  await db.coins.bulkPut([coin(1), coin(2), coin(3)]);
  const source = { name: 'Demo', demo: true, asOf: '2026-01-01T00:00:00.000Z' };
  await db.coinLists.bulkPut([
    { key: 'coins/USD/1/100', ids: [1, 2, 3], source },
    { key: 'watchlist', ids: [2], source },
  ]);
  await db.watchlist.put({ id: 2, place: 0 });
  await db.notifications.put({
    id: 'n',
    created_at: '2026-01-01T00:00:00.000Z',
    notification_text: 'Hello',
    kind: 'security',
    link: null,
    read: false,
  });
  await db.alerts.put(storedAlert());
  await db.firings.put(firingOf());
  const written = { kind: 'contact', message: 'Please', files: 0, createdAt: 1 } as const;
  await db.contacts.bulkPut([
    { ...written, id: 'sent', sentAt: 2 },
    { ...written, id: 'unsent', sentAt: null },
  ]);
  await db.backtests.put({ id: 'b' });
  const stamps = [
    'archives',
    `chats/${ARCHIVE}`,
    'coins/USD/1/100',
    'coin/1',
    'watchlist',
    'watchlist/heard',
    'notifications',
    'backtest/b',
    'alerts',
  ];
  await db.stamps.bulkPut(stamps.map((key, at) => ({ key, savedAt: 1000 + at })));
});

afterEach(() => db.delete());

/** All rows of the device, by table and key. */
async function rows(): Promise<Set<string>> {
  const all = new Set<string>();
  for (const table of db.tables) for (const key of await table.toCollection().primaryKeys()) all.add(`${table.name} ${key}`);
  return all;
}

describe('measuring', () => {
  it('counts the items of each kind, with size and time of sync', async () => {
    const held = await measure(db, undefined);
    const told = Object.entries(held).map(([kind, { count, syncedAt }]) => [kind, count, syncedAt]);
    expect(told).toEqual([
      ['chats', 2, 1001],
      ['images', 1, undefined],
      ['market', 3, 1003],
      ['watchlist', 1, 1005],
      ['alerts', 1, 1008],
      ['notifications', 1, 1006],
      ['bots', 0, 1007],
      ['support', 2, undefined],
      ['drafts', 3, undefined],
      ['waiting', 1, undefined],
      ['account', 0, undefined],
      ['app', 0, undefined],
    ]);
    expect(held.images.bytes).toBeGreaterThanOrEqual(300);
    expect(held.images.bytes).toBeLessThan(500);
    expect(held.drafts.bytes).toBeGreaterThan(2500);
    expect(held.waiting.bytes).toBeLessThan(2000);
  });

  it('counts every table', async () => {
    const total = async () => Object.values(await measure(db, undefined)).reduce((sum, each) => sum + each.bytes, 0);
    for (const table of db.tables) {
      if (table.name === 'stamps') continue;
      const before = await total();
      const known = await table.toCollection().first();
      const primary = table.schema.primKey;
      const row = { path: 'x', files: [], message: '', ...known, filler: 'x'.repeat(100) };
      const fresh = primary.auto ? { ...row, [primary.name]: undefined, id: 'filler' } : { ...row, [primary.name]: 'filler' };
      if (primary.auto) delete fresh[primary.name];
      await table.put(fresh);
      expect((await total()) - before, table.name).toBeGreaterThan(100);
    }
  });

  it('measures binary parts exactly', () => {
    expect(sizeOf({ ab: 'cde', f: [bytes(10), 1, null] })).toBe(2 + 3 + 1 + 10 + 8 + 8);
  });
});

/** Unsent rows, and a coin of the watchlist. */
const KEPT = [`archives ${OTHER}`, `messages ${QUESTION}`, `attachments ${PICTURE}`, 'contacts unsent', 'coins 2'];

describe('clearing', () => {
  it.each<[KindId, string[]]>([
    ['chats', ['archives', 'messages']],
    ['images', ['images']],
    ['market', ['coins', 'coinLists']],
    ['watchlist', ['watchlist', 'coinLists']],
    ['alerts', ['alerts', 'firings']],
    ['notifications', ['notifications']],
    ['bots', ['backtests']],
    ['support', ['contacts']],
    ['drafts', ['drafts', 'attachments', 'images']],
    ['waiting', []],
    ['account', []],
  ])('%s deletes its own rows, and nothing unsent', async (kind, tables) => {
    const before = await rows();
    await clearKind(db, kind, undefined);
    const gone = [...before].filter((row) => !row.startsWith('stamps'));
    const after = await rows();
    const touched = gone.filter((row) => !after.has(row));
    expect(new Set(touched.map((row) => row.split(' ')[0]))).toEqual(new Set(tables));
    for (const kept of KEPT) expect(after).toContain(kept);
    expect(await db.outbox.count()).toBe(1);
    if (kind !== 'drafts') expect(after).toContain('images draft/enclosed');
  });

  it('makes the next read fetch from the server', async () => {
    for (const { id } of kinds) await clearKind(db, id, undefined);
    expect(await db.stamps.count()).toBe(0);
  });

  it('deletes drafts in memory, too', async () => {
    writeDraft(db, 'new', { text: 'Half a question', imageId: null, editing: null });
    await clearKind(db, 'drafts', undefined);
    expect((await readDraft(db, 'new')).text).toBe('');
  });

  it('forgets what is in memory', async () => {
    const found = () => [
      recall('coin/1'),
      resultAhead('clearer', 'count'),
      listedCoin('clearer', 1),
      firstEdge(userDb('clearer')),
      parseMarkdown('An **answer**') === prepared || undefined,
    ];
    await signIn(makeTokens({ sub: 'clearer' }), true);
    remember('coin/1', { data: coin(1) });
    await readAhead('clearer', [{ key: 'count', query: async () => 1 }]);
    renderHook(() => useListedCoins('clearer', { coins: [coin(1)], source: undefined, savedAt: undefined })).unmount();
    await archives.write(
      userDb('clearer'),
      { userId: 'clearer' },
      { listed: [], askedAt: 1, next: 'more', after: undefined, expected: [] },
    );
    prepareMarkdown('An **answer**');
    const prepared = parseMarkdown('An **answer**');
    expect(found()).not.toContain(undefined);
    await clearKind(db, 'chats', undefined);
    expect(found()).toEqual([undefined, undefined, undefined, undefined, undefined]);
    await endSession();
  });

  it('of pictures includes coin images', async () => {
    const deleted: string[] = [];
    const storage = { delete: async (name: string) => Boolean(deleted.push(name)) } as unknown as CacheStorage;
    await clearKind(db, 'chats', storage);
    expect(deleted).toEqual([]);
    await clearKind(db, 'images', storage);
    expect(deleted).toEqual(['coin-images']);
  });

  it('deletes the stored screens, which may show what is cleared', async () => {
    await deviceDb.screens.put({
      address: '/crypto',
      sessionId: 's',
      build: 'b',
      theme: 'dark',
      width: 'wide',
      zone: '0',
      html: '<p>Bitcoin</p>',

      savedAt: 1,
    });
    await clearKind(db, 'market', undefined);
    expect(await deviceDb.screens.count()).toBe(0);
  });
});
