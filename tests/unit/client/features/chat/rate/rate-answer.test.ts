import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { deleteArchive } from '#client/features/archive/archive-edits.ts';
import { conversation, storeMessages } from '#client/features/chat/conversation/conversation.ts';
import { rateAnswer, ratingsLane } from '#client/features/chat/rate/rate-answer.ts';
import { deleteUserDb, userDb } from '#client/platform/db/user-db.ts';
import { drainLane } from '#client/platform/outbox/http-lanes.ts';
import { ARCHIVE, chatRow } from '#tests/support/chat/chat-rows.ts';
import { type Answers, fakeApi, refusal } from '#tests/support/client/fake-api.ts';

const CALL = 'PUT /api/chat/m/rating';
const userId = 'rater';
const db = () => userDb(userId);
const shown = async () => (await conversation.read(db(), { userId, archiveId: ARCHIVE }, true))?.map(({ rating }) => rating);
const send = () => drainLane(db(), ratingsLane);
const message = chatRow({ id: 'm', rating: null });
const serve = (answers: Answers) => fakeApi(answers);
const stored = (rating: 'up' | 'down' | null) => ({ status: 200, body: { status: 200, data: { ...message, rating } } });

beforeEach(() => db().messages.put(message));
afterEach(async () => {
  await deleteUserDb(userId);
  vi.unstubAllGlobals();
});

it('shows at once, whatever the server still returns, and is sent', async () => {
  await rateAnswer(db(), 'm', 'up');
  await storeMessages(db(), [message]);
  expect(await shown()).toEqual(['up']);
  const asked = serve({ [CALL]: stored('up') });
  expect(await send()).toBe('empty');
  expect(asked.map(({ body }) => body)).toEqual([{ rating: 'up' }]);
  expect(await shown()).toEqual(['up']);
  expect(await db().outbox.count()).toBe(0);
});

it('sends only the last rating', async () => {
  for (const rating of ['up', 'down', null] as const) await rateAnswer(db(), 'm', rating);
  const asked = serve({ [CALL]: stored(null) });
  await send();
  expect(asked.map(({ body }) => body)).toEqual([{ rating: null }]);
});

it('waits without a connection, and is dropped when the message is gone', async () => {
  await rateAnswer(db(), 'm', 'down');
  serve({});
  expect(await send()).toBe('stopped');
  expect(await shown()).toEqual(['down']);
  serve({ [CALL]: refusal(404, 'Not found.') });
  expect(await send()).toBe('empty');
  expect(await shown()).toEqual([null]);
});

it('does not bring back a chat that is deleted while the rating is sent', async () => {
  await rateAnswer(db(), 'm', 'up');
  serve({ [CALL]: () => deleteArchive(db(), ARCHIVE).then(() => stored('up')) });
  expect(await send()).toBe('empty');
  expect(await db().messages.count()).toBe(0);
});
