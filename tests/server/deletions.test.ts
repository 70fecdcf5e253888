import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { contactMessages } from '../../src/server/db/schema';
import { lettersTo } from '../support/letters';
import { type SignedUp, startServer, type TestServer } from '../support/server';

const NOON = Date.UTC(2026, 2, 1, 12);
let server: TestServer;
let ada: SignedUp;

beforeAll(async () => {
  server = await startServer({ clock: () => NOON });
});
beforeEach(async () => {
  ada = await server.signUp();
});
afterAll(() => server.close());

const form = (changes: Record<string, unknown> = {}) => ({
  user_id: ada.user.id,
  name: 'Ada Lovelace',
  email: ada.user.email,
  message: 'Please delete my account.',
  ...changes,
});
const send = (body: unknown, headers = {}) =>
  server.post('/user/delete/send-request', body, { authorization: ada.authorization, ...headers });
const stored = () => server.db.select().from(contactMessages).where(eq(contactMessages.userId, ada.user.id));

async function acknowledgements() {
  await server.settled();
  return (await lettersTo(server.dataDir, ada.user.email)).filter(({ subject }) => subject.includes('delete'));
}

describe('a request to delete an account', () => {
  test('is stored and acknowledged by mail; the account stays', async () => {
    const response = await send(form({ name: ' Ada ' }));
    expect([response.status, await response.json()]).toEqual([200, { status: 200, message: expect.any(String) }]);
    expect(await stored()).toEqual([
      {
        id: expect.any(String),
        userId: ada.user.id,
        kind: 'deletion',
        name: 'Ada',
        email: ada.user.email,
        message: 'Please delete my account.',
        createdAt: new Date(NOON),
      },
    ]);
    expect(await acknowledgements()).toEqual([expect.objectContaining({ text: expect.stringContaining('Hello Ada,') })]);
    const own = await fetch(`${server.url}/api/auth/user/${ada.user.id}/`, { headers: { authorization: ada.authorization } });
    expect(own.status).toBe(200);
  });

  test('with one Idempotency-Key is stored and acknowledged once', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all([1, 2, 3].map(async () => (await send(form(), headers)).json()));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await stored()).toHaveLength(1);
    expect(await acknowledgements()).toHaveLength(1);
  });

  test('writes to the account’s own address, whatever the request says', async () => {
    await send(form({ email: 'mallory@example.com' }));
    expect((await stored())[0]?.email).toBe(ada.user.email);
    expect(await acknowledgements()).toHaveLength(1);
    expect(await lettersTo(server.dataDir, 'mallory@example.com')).toEqual([]);
  });

  test('is for oneself only', async () => {
    const bob = await server.signUp();
    expect((await send(form({ user_id: bob.user.id }))).status).toBe(404);
    expect((await server.post('/user/delete/send-request', form())).status).toBe(401);
    expect(await server.db.$count(contactMessages, eq(contactMessages.userId, bob.user.id))).toBe(0);
  });

  test.each([
    ['name', 'Name is required!'],
    ['message', 'Type Message is required!'],
  ])('needs a %s', async (field, message) => {
    for (const value of ['  ', undefined]) {
      const response = await send(form({ [field]: value }));
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ message, detail: { fields: { [field]: message } } });
    }
    expect(await stored()).toEqual([]);
  });

  test('can be sent ten times in an hour', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 11; count++) statuses.push((await send(form())).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  });
});
