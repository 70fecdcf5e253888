import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { conversation, PAGE, readMessages } from '#client/features/chat/conversation/conversation.ts';
import { completeConversation, hasAll, pullBefore } from '#client/features/chat/conversation/conversation-pages.ts';
import { load } from '#client/platform/cache/resource.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import type { Message } from '#contract/chat/chat.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { ARCHIVE, chatRow } from '#tests/support/chat/chat-rows.ts';

let user = 0;
let userId: string;
let rows: Message[];
const asked: string[] = [];
const db = () => userDb(userId);
const row = (position: number, more: Partial<Message> = {}) => chatRow({ id: `m${position}`, position, ...more });
const positions = async (from?: number) => (await readMessages(db(), ARCHIVE, from)).map(({ position }) => position);
const loadLatest = () => load(db(), conversation, { userId, archiveId: ARCHIVE });
const complete = (signal = new AbortController().signal) => completeConversation(db(), ARCHIVE, { idle: () => Promise.resolve(), signal });

beforeEach(async () => {
  user += 1;
  userId = `pages-${user}`;
  rows = Array.from({ length: 250 }, (_, index) => row(index + 1));
  asked.length = 0;
  vi.stubGlobal('fetch', async (input: string) => {
    const { searchParams } = new URL(input, location.origin);
    asked.push(searchParams.get('before') ?? 'end');
    const before = Number(searchParams.get('before') ?? 1e9);
    const data = rows.filter(({ position }) => position < before).slice(-Number(searchParams.get('limit')));
    return Response.json({ status: 200, data, total: rows.length });
  });
  await signIn(makeTokens({ sub: userId }), true);
});

afterEach(async () => {
  await endSession();
  vi.unstubAllGlobals();
});

it('begins with the last page and goes back as far as it is asked', async () => {
  await loadLatest();
  expect(await positions()).toEqual(rows.slice(150).map(({ position }) => position));
  expect(await hasAll(db(), ARCHIVE, 51, 151)).toBe(false);
  await pullBefore(db(), ARCHIVE, 151);
  expect(await hasAll(db(), ARCHIVE, 51, 151)).toBe(true);
  expect(await positions(51)).toHaveLength(200);
  expect(await positions()).toHaveLength(PAGE);
  expect(asked).toEqual(['end', '151']);
});

it('brings the rest onto the device, but no page that is there', async () => {
  await loadLatest();
  await pullBefore(db(), ARCHIVE, 151);
  await complete();
  expect(await positions(1)).toEqual(rows.map(({ position }) => position));
  await complete();
  expect(asked).toEqual(['end', '151', '51']);
});

it('stops when its signal aborts', async () => {
  await loadLatest();
  await complete(AbortSignal.abort());
  expect(asked).toEqual(['end']);
});

it('says where something is missing between old and new, and fills it', async () => {
  await db().messages.bulkPut(rows.slice(0, 20));
  await loadLatest();
  const gap = (await readMessages(db(), ARCHIVE, 1)).find(({ missingBefore }) => missingBefore);
  expect(gap).toMatchObject({ position: 151, missingBefore: 130 });
  await complete();
  expect((await readMessages(db(), ARCHIVE, 1)).some(({ missingBefore }) => missingBefore)).toBe(false);
});

it('drops within a page what the server has no more, and nothing outside of it', async () => {
  await db().messages.bulkPut([row(160, { id: 'gone' }), row(3)]);
  await loadLatest();
  expect(await db().messages.get('gone')).toBeUndefined();
  expect(await db().messages.get('m3')).toBeDefined();
});
