import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { archives } from '#server/db/schema/chat.ts';
import { idempotency } from '#server/db/schema/requests.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

let server: TestServer;
let ada: SignedUp;
let bob: SignedUp;

beforeAll(async () => {
  server = await startServer();
  [ada, bob] = [await server.signUp(), await server.signUp()];
});
afterAll(() => server.close());

/** Creating an archive is the example for all routes with an Idempotency-Key. */
const create = (key: string | undefined, who = ada, body: Record<string, unknown> = { userId: who.user.id }) =>
  server.post('/chat/archives/', body, { authorization: who.authorization, ...(key !== undefined && { 'idempotency-key': key }) });

const count = () => server.db.$count(archives);

describe('a command with an Idempotency-Key', () => {
  test('is carried out once, and its first answer is repeated', async () => {
    const key = randomUUID();
    const before = await count();
    const first = await create(key);
    const again = await create(key);
    expect([again.status, await again.json()]).toEqual([first.status, await first.json()]);
    expect(await count()).toBe(before + 1);
  });

  test('is carried out once when it arrives several times at once', async () => {
    const key = randomUUID();
    const before = await count();
    const answers = await Promise.all(Array.from({ length: 5 }, async () => (await create(key)).json()));
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
    expect(await count()).toBe(before + 1);
  });

  test('belongs to its user', async () => {
    const key = randomUUID();
    const mine = await (await create(key, ada)).json();
    const theirs = await (await create(key, bob)).json();
    expect(theirs.data.id).not.toBe(mine.data.id);
  });

  test('is refused over another body', async () => {
    const key = randomUUID();
    await create(key);
    const other = await create(key, ada, { userId: ada.user.id, id: randomUUID() });
    expect(other.status).toBe(422);
    expect(await other.json()).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
  });

  test('keeps no answer of a command that failed', async () => {
    const key = randomUUID();
    const kept = await server.db.$count(idempotency);
    expect((await create(key, ada, { userId: bob.user.id })).status).toBe(404);
    expect(await server.db.$count(idempotency)).toBe(kept);
    expect((await create(key)).status).toBe(201);
  });

  test('makes room: a user has at most a thousand stored keys, the newest', async () => {
    const stored = Array.from({ length: 1000 }, (_, index) => ({
      userId: bob.user.id,
      key: `old-${index}`,
      route: 'POST /',
      requestHash: 'x',
      status: 200,
      answer: {},
      createdAt: new Date(Date.now() - 60_000 - index),
    }));
    await server.db.insert(idempotency).values(stored);
    await create('newest', bob);
    const kept = await server.db.select({ key: idempotency.key }).from(idempotency).where(eq(idempotency.userId, bob.user.id));
    expect(kept).toHaveLength(1000);
    expect(kept.map(({ key }) => key)).toContain('newest');
    expect(kept.map(({ key }) => key)).not.toContain('old-999');
  });

  test.each(['', 'two words', 'x'.repeat(129)])('needs a proper key, not %j', async (key) => {
    const response = await create(key);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'idempotency_key' });
  });
});

test('a command without a key is carried out each time', async () => {
  const before = await count();
  await create(undefined);
  await create(undefined);
  expect(await count()).toBe(before + 2);
});
