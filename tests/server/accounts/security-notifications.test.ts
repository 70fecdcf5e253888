import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type Notification, notificationsAnswer } from '#contract/notification.ts';
import { DAY } from '#domain/clock.ts';
import { notifications } from '#server/db/schema/notifications.ts';
import { tidy } from '#server/housekeeping/tidy.ts';
import { createNotifications } from '#server/modules/notifications/service.ts';
import { connect, next } from '#tests/support/server/realtime.ts';
import { PASSWORD, type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const NOON = Date.UTC(2026, 2, 1, 12);
let now = NOON;
let server: TestServer;
let ada: SignedUp;

beforeAll(async () => {
  server = await startServer({ clock: () => now });
});
beforeEach(async () => {
  now = NOON;
  ada = await server.signUp();
});
afterAll(() => server.close());

const get = (userId: string, authorization = ada.authorization) =>
  fetch(`${server.url}/api/notification/${userId}`, { headers: { authorization } });
const read = (upTo: unknown, userId = ada.user.id) =>
  server.post(`/notification/${userId}/read`, { upTo }, { authorization: ada.authorization });
const login = (who: SignedUp) => server.post('/auth/login/', { email: who.user.email, password: PASSWORD });
const changePassword = (password: string) => {
  const body = new FormData();
  body.set('user_id', ada.user.id);
  body.set('password', password);
  const headers = { authorization: ada.authorization };
  return fetch(`${server.url}/api/auth/user/${ada.user.id}/`, { method: 'PATCH', headers, body });
};

async function listOf(who = ada): Promise<Notification[]> {
  await server.settled();
  return z.parse(notificationsAnswer, await (await get(who.user.id, who.authorization)).json()).data;
}

describe('security events', () => {
  test('a first sign-in is none; one beside another session is, and it is shown at once', async () => {
    expect(await listOf()).toEqual([]);
    const socket = await connect(server.url, ada.tokens.accessToken);
    const told = next(socket, 'notification');
    now += 1000;
    expect((await login(ada)).status).toBe(200);
    const expected = {
      id: expect.any(String),
      created_at: new Date(NOON + 1000).toISOString(),
      notification_text: expect.stringContaining('signed in'),
      kind: 'security',
      link: '/settings/devices',
      read: false,
    };
    expect(await told).toEqual(expected);
    expect(await listOf()).toEqual([expected]);
    socket.close();
  });

  test('a wrong password tells nothing', async () => {
    await server.post('/auth/login/', { email: ada.user.email, password: 'Wrong1!' });
    expect(await listOf()).toEqual([]);
  });

  test('a new password is notified', async () => {
    expect((await changePassword('Another1!')).status).toBe(200);
    expect(await listOf()).toEqual([
      expect.objectContaining({ kind: 'security', notification_text: expect.stringContaining('password was changed') }),
    ]);
  });

  test('reuse of a refresh token is notified', async () => {
    expect((await login(ada)).status).toBe(200);
    const { refreshToken } = ada.tokens;
    const refresh = async (token: string) => (await server.post('/auth/refresh-token/', { refreshToken: token })).json();
    const second = await refresh(refreshToken);
    await refresh(second.data.refreshToken);
    await refresh(refreshToken);
    const again = await (await login(ada)).json();
    const authorization = `Bearer ${again.data.accessToken}`;
    const texts = (await listOf({ ...ada, authorization })).map((one) => one.notification_text);
    expect(texts.filter((text) => text.includes('old sign-in token'))).toHaveLength(1);
  });
});

describe('the list', () => {
  const add = (count: number) =>
    server.db.transaction(async (tx) => {
      const { notify } = createNotifications({ db: server.db, clock: () => now });
      for (let index = 0; index < count; index++) {
        now += 1000;
        await notify(tx, ada.user.id, { kind: 'support', text: `Number ${index}` });
      }
    });

  test('is newest first and holds 200', async () => {
    await add(205);
    const list = await listOf();
    expect([list.length, list[0]?.notification_text, list.at(-1)?.notification_text]).toEqual([200, 'Number 204', 'Number 5']);
    expect(await server.db.$count(notifications, eq(notifications.userId, ada.user.id))).toBe(200);
  });

  test('is marked as read up to the newest one that was seen, however often', async () => {
    await add(3);
    const seen = (await listOf())[1];
    for (let time = 0; time < 2; time++) expect((await read(seen?.created_at)).status).toBe(200);
    expect((await listOf()).map((one) => one.read)).toEqual([false, true, true]);
    expect((await read('yesterday')).status).toBe(400);
  });

  test('cannot be read or marked by other users', async () => {
    const bob = await server.signUp();
    expect((await get(bob.user.id)).status).toBe(404);
    expect((await get('unknown')).status).toBe(404);
    expect((await get(ada.user.id, '')).status).toBe(401);
    expect((await read(new Date(now).toISOString(), bob.user.id)).status).toBe(404);
  });

  test('keeps nothing for longer than a year', async () => {
    await add(1);
    now += 200 * DAY;
    await add(1);
    await tidy(server.db, now + 200 * DAY);
    expect((await server.db.select().from(notifications).where(eq(notifications.userId, ada.user.id))).length).toBe(1);
  });
});
