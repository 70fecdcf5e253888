import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { MINUTE } from '#domain/clock.ts';
import { deliveries } from '#server/db/schema/deliveries.ts';
import { users } from '#server/db/schema/users.ts';
import { createSender } from '#server/modules/notifications/deliveries/sender.ts';
import { createNotifications } from '#server/modules/notifications/service.ts';
import { openTestDb, type TestDb } from '#tests/support/server/test-db.ts';

let open: TestDb;
beforeAll(async () => {
  open = await openTestDb();
});
afterAll(() => open.close());

test('close() waits three seconds for an attempt, then ends it and leaves the delivery to another process', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { db } = open;
  let now = Date.UTC(2026, 2, 1, 12);
  const clock = () => now;
  const { notify } = createNotifications({ db, clock });
  const [user] = await db
    .insert(users)
    .values({ email: 'ada@example.com', firstName: 'Ada', lastName: 'Byron', passwordHash: 'x' })
    .returning();
  await db.transaction((tx) => notify(tx, user?.id ?? '', { kind: 'security', text: 'A new device signed in', urgent: true }));
  now += 3 * MINUTE;
  let ended: unknown;
  const send = vi.fn((_message: unknown, signal: AbortSignal) => {
    signal.addEventListener('abort', () => {
      ended = signal.reason;
    });
    return new Promise<never>(() => undefined);
  });
  const reported: unknown[] = [];
  const sender = createSender({ name: 'email', atOnce: 1, send }, { db, clock, notify, report: (error) => reported.push(error) });
  sender.start();
  await vi.waitUntil(() => send.mock.calls.length > 0, { interval: 0 });
  let isClosed = false;
  void sender.close().then(() => {
    isClosed = true;
  });
  // The limits of the attempt and of close(), which first waits for the statement that looks for more.
  await vi.waitUntil(() => vi.getTimerCount() === 2, { interval: 0 });
  await vi.advanceTimersByTimeAsync(2_999);
  expect([isClosed, ended]).toEqual([false, undefined]);
  await vi.advanceTimersByTimeAsync(1);
  await vi.waitFor(() => expect(isClosed).toBe(true), { interval: 0 });
  expect(ended).toEqual(new Error('the server stops'));
  expect(reported).toEqual([]);
  expect(await db.select().from(deliveries)).toMatchObject([{ state: 'waiting', attempts: 1, claim: expect.any(String) }]);
});
