import { eq } from 'drizzle-orm';
import { afterEach, expect, test, vi } from 'vitest';
import { deliveries, destinations } from '#server/db/schema/deliveries.ts';
import { createNotifications } from '#server/modules/notifications/service.ts';
import { insertBrowsers } from '#tests/support/push/many-browsers.ts';
import { type Behavior, type PushService, startPushService } from '#tests/support/push/push-service.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

/** One claim has them all. */
const [USERS, BROWSERS] = [10, 20];
/** More notices than one statement stores. */
const ROUNDS = 11;
let service: PushService;
let server: TestServer;

afterEach(async () => {
  await server.close();
  await service.close();
});

/** Starts a server with browsers of several users, which behave as `behaviors` say in turn. Returns them and the ids of their users. */
async function start(behaviors: readonly Behavior[], { count, owners } = { count: BROWSERS, owners: USERS }) {
  service = await startPushService();
  server = await startServer({ env: { PRIVATE_TARGETS: service.origin }, deliveryPoll: 20 });
  const browsers = Array.from({ length: count }, () => service.subscribe());
  browsers.forEach((browser, place) => {
    const behavior = behaviors[place % behaviors.length];
    if (behavior) browser.behave(behavior);
  });
  return { browsers, users: await insertBrowsers(server.db, owners, browsers) };
}

/** Stores an alert for each of these users, as often as they are named, in one transaction. */
async function notify(userIds: readonly string[]) {
  const own = createNotifications({ db: server.db, clock: Date.now });
  const notices = userIds.map((userId, place) => ({ userId, kind: 'alert' as const, text: `Alert ${place + 1}` }));
  await server.db.transaction((tx) => own.notifyAll(tx, notices));
  return own;
}

test('what one browser of a batch answers is nothing to the others', { timeout: 100_000 }, async () => {
  const later = { 'retry-after': '600' };
  const expected: [Behavior, string][] = [
    [{ status: 201 }, 'sent, kept'],
    [{ status: 404 }, 'failed, gone'],
    [{ status: 410 }, 'failed, gone'],
    [{ status: 429, headers: later }, 'waiting, kept'],
    [{ status: 500, headers: later }, 'waiting, kept'],
    ['cut', 'waiting, kept'],
    ['never', 'waiting, kept'],
    [{ status: 403 }, 'failed, kept'],
    [{ status: 201 }, 'sent, kept'],
    [{ status: 201 }, 'sent, kept'],
  ];
  const { browsers, users } = await start(expected.map(([behavior]) => behavior));
  await notify(users);
  const states = async () => {
    const rows = await server.db.select().from(deliveries).innerJoin(destinations, eq(destinations.id, deliveries.destinationId));
    const stateOf = new Map(
      rows.map(({ deliveries: { state }, destinations: to }) => [to.address, `${state}, ${to.endedAt ? 'gone' : 'kept'}`]),
    );
    return browsers.map(({ endpoint }) => stateOf.get(endpoint));
  };
  const all = browsers.map((_, place) => expected[place % expected.length]?.[1]);
  await vi.waitFor(() => expect(browsers.every((browser) => browser.asked() > 0)).toBe(true), 40_000);
  // None was sent after the time of those that never answer.
  expect(service.waiting()).toBe(all.length / expected.length);
  await vi.waitFor(async () => expect(await states()).toEqual(all), 40_000);
  const accepted = browsers.filter((_, place) => all[place] === 'sent, kept');
  expect(accepted.map((browser) => browser.received().length)).toEqual(accepted.map(() => 1));
  expect(service.faults).toEqual([]);
});

test('notices of one transaction reach each browser once, and their users in their order', { timeout: 100_000 }, async () => {
  const { browsers, users } = await start([]);
  const { list } = await notify(Array.from({ length: ROUNDS }, () => users).flat());
  for (const [place, userId] of users.entries()) {
    const texts = Array.from({ length: ROUNDS }, (_, round) => `Alert ${round * USERS + place + 1}`).toReversed();
    expect((await list(userId)).map(({ notification_text }) => notification_text)).toEqual(texts);
  }
  await vi.waitFor(() => expect(browsers.map((browser) => browser.received().length)).toEqual(browsers.map(() => ROUNDS)), 40_000);
  await vi.waitFor(async () => {
    const rows = await server.db.select().from(deliveries).where(eq(deliveries.channel, 'push'));
    expect(rows.filter(({ state }) => state === 'sent')).toHaveLength(ROUNDS * BROWSERS);
  });
  expect([service.pushed.length, service.faults]).toEqual([ROUNDS * BROWSERS, []]);
});

test('silent browsers, more than a process waits for, keep no message from the others', { timeout: 100_000 }, async () => {
  const [count, owners, silent] = [310, 155, 150];
  // A user has two browsers, and the last five users have those that answer.
  const behaviors = Array.from({ length: owners }, (_, place): Behavior => (place < silent ? 'never' : { status: 201 }));
  const { browsers, users } = await start(behaviors, { count, owners });
  await notify(users.slice(0, silent));
  await vi.waitFor(() => expect(service.waiting()).toBeGreaterThan(0), 40_000);
  await notify(users.slice(silent));
  const answering = browsers.filter((_, place) => place % owners >= silent);
  await vi.waitFor(() => expect(answering.map((browser) => browser.received().length)).toEqual(answering.map(() => 1)), 60_000);
  // Their time is not over: newer messages took their places.
  const reasons = () => server.db.selectDistinct({ failure: deliveries.failure }).from(deliveries);
  await vi.waitFor(async () => expect(await reasons()).toContainEqual({ failure: 'too many receivers are slow' }));
  expect(service.faults).toEqual([]);
});
