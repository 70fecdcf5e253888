import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '#domain/clock.ts';
import { deliveries } from '#server/db/schema/deliveries.ts';
import { tidy } from '#server/housekeeping/tidy.ts';
import { type CollectingMail, collectingMail } from '#tests/support/notifications/collecting-mail.ts';
import { PASSWORD, type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const NOON = Date.UTC(2026, 2, 1, 12);
let now = NOON;
let server: TestServer;
let mail: CollectingMail;
let ada: SignedUp;

beforeAll(async () => {
  mail = collectingMail();
  server = await startServer({ clock: () => now, mail, deliveryPoll: 20 });
});
beforeEach(async () => {
  now += 30 * DAY;
  mail.sent = [];
  mail.before = () => undefined;
  ada = await server.signUp();
});
afterAll(() => server.close());

const rows = () => server.db.select().from(deliveries).where(eq(deliveries.userId, ada.user.id));
const row = async () => (await rows())[0];
const signInElsewhere = async () =>
  expect((await server.post('/auth/login/', { email: ada.user.email, password: PASSWORD })).status).toBe(200);
const untilState = (state: string) => vi.waitFor(async () => expect(await row()).toMatchObject({ state }));
const acknowledge = (token: string, event = 'shown') => server.post('/notification/receipt', { token, event });
const tokenOf = async () => {
  const { id, receipt } = (await row()) ?? { id: '', receipt: '' };
  return `${id}.${receipt}`;
};

describe('an urgent notification', () => {
  test('is mailed once if nothing shows it within two minutes', async () => {
    await signInElsewhere();
    now += 2 * MINUTE - SECOND;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(mail.sent).toEqual([]);
    now += SECOND;
    await untilState('sent');
    now += HOUR;
    const [sent] = mail.sent;
    expect(mail.sent).toHaveLength(1);
    expect(sent).toMatchObject({ id: (await row())?.id, to: ada.user.email, subject: expect.stringContaining('A new device signed in') });
    expect(sent?.text).toContain(`${server.config.publicUrl}/settings/devices\n`);
  });

  test('is not mailed if the user has read it', async () => {
    await signInElsewhere();
    const upTo = new Date(now).toISOString();
    await server.post(`/notification/${ada.user.id}/read`, { upTo }, { authorization: ada.authorization });
    now += 2 * MINUTE;
    await untilState('unneeded');
    expect(mail.sent).toEqual([]);
  });

  test('is not mailed if a device says that it was shown, however often', async () => {
    await signInElsewhere();
    const token = await tokenOf();
    expect((await acknowledge(token)).status).toBe(200);
    const first = (await row())?.shownAt;
    now += SECOND;
    expect((await acknowledge(token, 'opened')).status).toBe(200);
    expect(await row()).toMatchObject({ shownAt: first, openedAt: new Date(now) });
    now += 2 * MINUTE;
    await untilState('unneeded');
    expect(mail.sent).toEqual([]);
  });
});

describe('a receipt', () => {
  test('needs the token of the delivery', async () => {
    await signInElsewhere();
    const [id, receipt] = (await tokenOf()).split('.');
    const wrong = `${receipt?.startsWith('A') ? 'B' : 'A'}${receipt?.slice(1)}`;
    expect((await acknowledge(`${id}.${wrong}`)).status).toBe(404);
    expect((await acknowledge(`00000000-0000-4000-8000-000000000000.${receipt}`)).status).toBe(404);
    for (const token of ['', `${id}`, `${id}.`, `${id}.${receipt}x`, 'x'.repeat(100_000), `' or 1=1 --.${receipt}`])
      expect((await acknowledge(token)).status, token.slice(0, 80)).toBe(400);
    expect((await acknowledge(`${id}.${receipt}`, 'eaten')).status).toBe(400);
    expect(await row()).toMatchObject({ shownAt: null, openedAt: null });
  });
});

describe('a mail server', () => {
  test('that fails is asked again, with longer waits, and given up in the end', async () => {
    let tries = 0;
    mail.before = () => {
      tries += 1;
      throw new Error('421 busy');
    };
    await signInElsewhere();
    now += 2 * MINUTE;
    for (let attempt = 1; attempt <= 12; attempt++) {
      await vi.waitFor(async () => expect(await row()).toMatchObject({ attempts: attempt, claim: null, failure: '421 busy' }));
      const { state, dueAt } = (await row()) ?? {};
      const wait = (dueAt?.getTime() ?? 0) - now;
      expect(state).toBe(attempt < 12 ? 'waiting' : 'failed');
      if (attempt < 12) {
        const full = Math.min(5 * SECOND * 2 ** (attempt - 1), HOUR);
        expect(wait).toBeGreaterThanOrEqual(full / 2 - 1);
        expect(wait).toBeLessThanOrEqual(full);
      }
      now += wait + 1;
    }
    expect(tries).toBe(12);
  });

  test('that refuses a message for good is not asked again', async () => {
    mail.before = () => {
      throw Object.assign(new Error('550 no such mailbox'), { responseCode: 550 });
    };
    await signInElsewhere();
    now += 2 * MINUTE;
    await untilState('failed');
    expect(await row()).toMatchObject({ attempts: 1, failure: '550 no such mailbox' });
  });

  test('whose answer is lost gets the message again under the same id, when the claim of the dead process has ended', async () => {
    await signInElsewhere();
    // What a process leaves that was killed between its claim and its record.
    const claim = '00000000-0000-4000-8000-000000000000';
    await server.db
      .update(deliveries)
      .set({ claim, attempts: 1, dueAt: new Date(now + 2 * MINUTE) })
      .where(eq(deliveries.userId, ada.user.id));
    now += 2 * MINUTE;
    await untilState('sent');
    expect(mail.sent.map(({ id }) => id)).toEqual([(await row())?.id]);
  });
});

test('a clock that was set back by days delays nothing', async () => {
  await signInElsewhere();
  now -= 20 * DAY;
  await untilState('sent');
  expect(mail.sent).toHaveLength(1);
});

test('deliveries are kept for thirty days', async () => {
  await signInElsewhere();
  now += 2 * MINUTE;
  await untilState('sent');
  await tidy(server.db, now + 29 * DAY);
  expect(await rows()).toHaveLength(1);
  await tidy(server.db, now + 31 * DAY);
  expect(await rows()).toEqual([]);
});
