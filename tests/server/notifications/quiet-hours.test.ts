import { asc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { HOUR, MINUTE } from '#domain/clock.ts';
import { deliveries } from '#server/db/schema/deliveries.ts';
import { createNotifications, type Notice } from '#server/modules/notifications/service.ts';
import { type CollectingMail, collectingMail } from '#tests/support/notifications/collecting-mail.ts';
import { preferencesOf } from '#tests/support/notifications/preferences.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const EVENING = Date.UTC(2026, 5, 1, 21, 30);
const ALL_MAILED = { alert: { email: true }, bot: { email: true } };
/** From 23:00 to 07:00 in Berlin, which is two hours ahead. */
const NIGHT = { choices: ALL_MAILED, quiet: { from: 23 * 60, to: 7 * 60 }, time_zone: 'Europe/Berlin' };
const MORNING = Date.UTC(2026, 5, 2, 5);

let now = EVENING;
let server: TestServer;
let mail: CollectingMail;
let ada: SignedUp;

beforeAll(async () => {
  mail = collectingMail();
  server = await startServer({ clock: () => now, mail, deliveryPoll: 20 });
});
beforeEach(async () => {
  now = EVENING;
  mail.sent = [];
  ada = await server.signUp();
});
afterAll(() => server.close());

const notify = (text: string, what: Partial<Notice> = {}) =>
  server.db.transaction((tx) =>
    createNotifications({ db: server.db, clock: () => now }).notify(tx, ada.user.id, { kind: 'alert', text, ...what }),
  );
const rows = () => server.db.select().from(deliveries).where(eq(deliveries.userId, ada.user.id)).orderBy(asc(deliveries.createdAt));
const untilSent = (count: number) =>
  vi.waitFor(async () => expect((await rows()).map(({ state }) => state)).toEqual(Array.from({ length: count }, () => 'sent')));

test('hold what is not urgent until their end in the time zone of the user', async () => {
  expect((await preferencesOf(server, ada).save(NIGHT)).status).toBe(200);
  await notify('Bitcoin is above $100.00.');
  expect(await rows()).toMatchObject([{ state: 'waiting', held: true, dueAt: new Date(MORNING) }]);
  await notify('The position was closed by liquidation.', { kind: 'bot', urgent: true });
  await vi.waitFor(() => expect(mail.sent.map(({ text }) => text.includes('liquidation'))).toEqual([true]));
  // Not only sent but recorded: a claim that the next line lets expire would be sent again.
  await vi.waitFor(async () => expect((await rows()).map(({ state }) => state).sort()).toEqual(['sent', 'waiting']));
  now = MORNING;
  await untilSent(2);
  expect(mail.sent).toHaveLength(2);
});

test('end with one message for more than three notifications, and with each one for three', async () => {
  await preferencesOf(server, ada).save(NIGHT);
  for (let index = 1; index <= 9; index++) {
    now += MINUTE;
    await notify(`Alert ${index}${index === 9 ? `\n${'x'.repeat(10_000)}` : ''}`);
  }
  now = MORNING;
  await untilSent(9);
  expect(mail.sent).toHaveLength(1);
  expect(mail.sent[0]?.subject).toContain('9 notifications');
  expect(mail.sent[0]?.text).toContain(
    '9 notifications came in your quiet hours.\nThe newest 5:\n- Alert 5\n- Alert 6\n- Alert 7\n- Alert 8\n- Alert 9\n',
  );

  mail.sent = [];
  now = EVENING + 24 * HOUR;
  for (let index = 1; index <= 3; index++) await notify(`Second night ${index}`);
  now = MORNING + 24 * HOUR;
  await untilSent(12);
  expect(mail.sent.map(({ text }) => /Second night \d/.exec(text)?.[0]).sort()).toEqual([
    'Second night 1',
    'Second night 2',
    'Second night 3',
  ]);
});

test('and other settings are what was saved, and nonsense is refused', async () => {
  const own = preferencesOf(server, ada);
  expect(await own.read()).toMatchObject({
    choices: {},
    quiet: null,
    time_zone: 'UTC',
    email: ada.user.email,
    has_telegram: false,
    browsers: 0,
  });
  await own.save(NIGHT);
  await own.save(NIGHT);
  expect(await own.read()).toMatchObject(NIGHT);
  for (const wrong of [
    { time_zone: 'Europe/Atlantis' },
    { time_zone: 'x'.repeat(100_000) },
    { quiet: { from: 60, to: 60 } },
    { quiet: { from: -1, to: 60 } },
    { quiet: { from: 0, to: 1440 } },
    { quiet: { from: 0.5, to: 60 } },
    { choices: { alert: { email: 'yes' } } },
    { choices: [] },
  ])
    expect((await own.ask('PUT', 'settings', { ...NIGHT, ...wrong })).status, JSON.stringify(wrong).slice(0, 60)).toBe(400);
  expect(await own.read()).toMatchObject(NIGHT);
});
