import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NAME_RULE } from '#contract/names.ts';
import { users } from '#server/db/schema/users.ts';
import { lettersTo } from '#tests/support/mail/letters.ts';
import { PASSWORD, startServer, type TestServer } from '#tests/support/server/server.ts';

const LOCKED = 'Your account is locked, go to https://evil';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

test.each(['first_name', 'last_name'])('registering refuses a %s with a link or a line break, and mails nothing', async (field) => {
  for (const name of [LOCKED, 'Ada\nYour account is locked', 'evil.com']) {
    const email = `${field}@example.com`;
    const response = await server.post('/auth/register/', {
      first_name: 'Ada',
      last_name: 'King',
      email,
      country: '',
      password: PASSWORD,
      [field]: name,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ message: NAME_RULE, detail: { fields: { [field]: NAME_RULE } } });
    await server.settled();
    expect(await lettersTo(server.dataDir, email)).toEqual([]);
  }
});

test('a profile, a contact message and a bot refuse such a name', async () => {
  const { user, authorization } = await server.signUp();
  const profile = new FormData();
  profile.set('user_id', user.id);
  profile.set('first_name', LOCKED);
  const changed = await fetch(`${server.url}/api/auth/user/${user.id}/`, { method: 'PATCH', headers: { authorization }, body: profile });
  expect(await changed.json()).toMatchObject({ status: 400, detail: { fields: { first_name: NAME_RULE } } });

  const request = { user_id: user.id, name: LOCKED, email: user.email, message: 'Please delete it' };
  const asked = await server.post('/user/delete/send-request', request, { authorization });
  expect(await asked.json()).toMatchObject({ status: 400, detail: { fields: { name: NAME_RULE } } });

  const bot = { bot_name: LOCKED, api_key: 'k', secret_key: 's', position_size: '100', leverage: 1 };
  const made = await server.post('/v1/trading-bots', bot, { authorization });
  expect(await made.json()).toMatchObject({ status: 400, detail: { fields: { bot_name: NAME_RULE } } });
});

test('mail to someone whose stored name has line breaks or a link shows one line without it', async () => {
  const { user } = await server.signUp();
  const greetings: (string | undefined)[] = [];
  for (const firstName of ['Ada\r\n\r\nYour account is locked', LOCKED, 'Ada '.repeat(25)]) {
    await server.db.update(users).set({ firstName }).where(eq(users.id, user.id));
    const before = (await lettersTo(server.dataDir, user.email)).length;
    await server.post('/auth/forgot-password/', { email: user.email });
    await server.settled();
    const letters = await lettersTo(server.dataDir, user.email);
    expect(letters).toHaveLength(before + 1);
    const newest = letters.find(({ text }) => !greetings.includes(text.split('\n')[0]) && text.includes('password'));
    greetings.push(newest?.text.split('\n')[0]);
  }
  expect(greetings).toEqual(['Hello Ada Your account is locked,', 'Hello,', `Hello ${'Ada '.repeat(15).slice(0, 59)}…,`]);
});
