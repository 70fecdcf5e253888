import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { HOUR, MINUTE, SECOND } from '#domain/clock.ts';
import { deliveries } from '#server/db/schema/deliveries.ts';
import { createNotifications } from '#server/modules/notifications/service.ts';
import { collectingMail } from '#tests/support/notifications/collecting-mail.ts';
import { preferencesOf } from '#tests/support/notifications/preferences.ts';
import { startTelegram, type TelegramServer, TOKEN } from '#tests/support/notifications/telegram-server.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

let now = Date.UTC(2026, 2, 1, 12);
let chatId = 100;
let server: TestServer;
let telegram: TelegramServer;
let ada: SignedUp;

beforeAll(async () => {
  telegram = await startTelegram();
  const env = { TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_BASE_URL: telegram.url };
  server = await startServer({ clock: () => now, mail: collectingMail(), deliveryPoll: 20, env });
});
beforeEach(async () => {
  now += HOUR;
  chatId += 1;
  telegram.sent = [];
  telegram.refuse = () => undefined;
  ada = await server.signUp();
});
afterAll(async () => {
  await server.close();
  await telegram.close();
});

const mine = (who = ada) => preferencesOf(server, who);
const codeOf = (link: string) => new URL(link).searchParams.get('start') ?? '';
const notify = (text = 'Bitcoin is above $100.00.') =>
  server.db.transaction((tx) =>
    createNotifications({ db: server.db, clock: () => now }).notify(tx, ada.user.id, { kind: 'alert', text, link: '/crypto/details/1' }),
  );
const rows = () =>
  server.db
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.userId, ada.user.id), eq(deliveries.channel, 'telegram')));
const textsIn = (chat: number) => telegram.sent.filter(({ chat_id }) => chat_id === chat).map(({ text }) => text);
const connect = async () => {
  telegram.write({ id: chatId, username: 'ada_l' }, `/start ${codeOf(await mine().telegramLink())}`);
  await vi.waitFor(async () => expect((await mine().read()).telegram).toMatchObject({ name: '@ada_l', ended_at: null }));
  await vi.waitFor(() => expect(textsIn(chatId)).toHaveLength(1));
};

test('the link names the bot, and its chat gets notifications as plain text', async () => {
  expect(await mine().read()).toMatchObject({ has_telegram: true, telegram: null });
  expect(await mine().telegramLink()).toMatch(/^https:\/\/t\.me\/tide_test_bot\?start=[\w-]{32}$/);
  await connect();
  await notify('<b>50% up</b> *bold* _it_');
  await vi.waitFor(async () => expect(await rows()).toMatchObject([{ state: 'sent' }]));
  expect(textsIn(chatId)[1]).toBe(`<b>50% up</b> *bold* _it_\n${server.config.publicUrl}/crypto/details/1`);
  expect((await mine().ask('DELETE', 'telegram')).status).toBe(200);
  expect((await mine().read()).telegram).toBeNull();
});

describe('a code', () => {
  test('connects one chat once', async () => {
    const code = codeOf(await mine().telegramLink());
    telegram.write({ id: chatId, first_name: 'Ada' }, `/start ${code}`);
    telegram.write({ id: chatId + 5000, first_name: 'Eve' }, `/start ${code}`);
    await vi.waitFor(() => expect(textsIn(chatId + 5000)[0]).toContain('has been used or has expired'));
    expect((await mine().read()).telegram?.name).toBe('Ada');
  });

  test('expires after ten minutes, and a newer one ends it', async () => {
    const old = codeOf(await mine().telegramLink());
    const code = codeOf(await mine().telegramLink());
    telegram.write({ id: chatId }, `/start ${old}`);
    await vi.waitFor(() => expect(textsIn(chatId)).toHaveLength(1));
    now += 10 * MINUTE + SECOND;
    telegram.write({ id: chatId }, `/start ${code}`);
    await vi.waitFor(() => expect(textsIn(chatId)).toHaveLength(2));
    expect((await mine().read()).telegram).toBeNull();
  });

  test('of a group, huge messages and floods of strangers do nothing, and few get an answer', async () => {
    const code = codeOf(await mine().telegramLink());
    telegram.write({ id: -5, type: 'group' }, `/start ${code}`);
    telegram.write({ id: 7 }, `/start ${code} ${'x'.repeat(4000)}`);
    for (let index = 0; index < 250; index++) telegram.write({ id: 10_000 + index }, `/start ${'A'.repeat(32)}`);
    telegram.write({ id: chatId, first_name: 'Ada\n\u202e' }, `/start ${code}`);
    await vi.waitFor(async () => expect((await mine().read()).telegram?.name).toBe('Ada'), 110_000);
    expect(telegram.sent.length).toBeLessThanOrEqual(4 * 5 + 1);
    expect(textsIn(-5)).toEqual([]);
  });
});

describe('Telegram', () => {
  test('that says the bot is blocked ends the connection, with a notification', async () => {
    await connect();
    telegram.refuse = () => ({ code: 403, description: 'Forbidden: bot was blocked by the user' });
    await notify();
    await vi.waitFor(async () =>
      expect(await rows()).toMatchObject([{ state: 'failed', failure: 'Forbidden: bot was blocked by the user' }]),
    );
    expect((await mine().read()).telegram?.ended_at).not.toBeNull();
    await notify();
    expect(await rows()).toHaveLength(1);
  });

  test('that asks for a pause gets the message after it', async () => {
    await connect();
    telegram.refuse = () => ({ code: 429, description: 'Too Many Requests: retry after 5', retryAfter: 5 });
    await notify();
    await vi.waitFor(async () => expect(await rows()).toMatchObject([{ state: 'waiting', attempts: 1, claim: null }]));
    expect((await rows())[0]?.dueAt.getTime()).toBeGreaterThanOrEqual(now + 5 * SECOND - 1);
    telegram.refuse = () => undefined;
    now += 6 * SECOND;
    await vi.waitFor(async () => expect(await rows()).toMatchObject([{ state: 'sent', attempts: 2 }]));
  });

  test('gets the start of a text that is too long', async () => {
    await connect();
    await notify('😀'.repeat(5000));
    await vi.waitFor(async () => expect(await rows()).toMatchObject([{ state: 'sent' }]));
    expect(textsIn(chatId)[1]).toMatch(/^(?:😀){2000,}…\n.*\/crypto\/details\/1$/u);
  });

  test('that answers nonsense is asked again', async () => {
    telegram.broken = { status: 502, body: '<html>Bad Gateway</html>' };
    // Ends the poll that waits. The next one gets nonsense.
    telegram.write({ id: 1 }, 'hello');
    await vi.waitFor(() => expect(telegram.brokenAnswers).toBeGreaterThan(0));
    telegram.broken = undefined;
    await connect();
  });
});

test('without a bot, Telegram is not there', async () => {
  const other = await startServer({ mail: collectingMail() });
  const own = preferencesOf(other, await other.signUp());
  expect(await own.read()).toMatchObject({ has_telegram: false });
  expect((await own.ask('POST', 'telegram')).status).toBe(404);
  await other.close();
});
