import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { MINUTE, SECOND } from '#domain/clock.ts';
import { createAccountWatch } from '#server/bots/engine/watch-accounts.ts';
import { createKeySafe } from '#server/bots/keys/key-safe.ts';
import { leases } from '#server/db/schema/operations.ts';
import type { AccountStream, Exchange } from '#server/ports/exchange/exchange.ts';
import { SECRETS_KEY } from '#tests/support/bots/bot-rig.ts';
import { STOP, STOPPED } from '#tests/support/bots/bybit/fault-rows.ts';
import { type BybitRig, createLiveRig, openStage, type Stage } from '#tests/support/bots/bybit/rig.ts';
import { openTestDb, type TestDb } from '#tests/support/server/test-db.ts';

/** What the engine does with the streams of a live exchange. */
let kept: TestDb;
let stage: Stage;
let rig: BybitRig;

beforeAll(async () => {
  // The test runs the engine's rounds itself.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  kept = await openTestDb();
  stage = await openStage({ streams: true });
  stage.exchange = recording(stage.exchange);
});
beforeEach(async () => {
  rig = await createLiveRig(kept.db, stage);
  rig.wait(30 * SECOND);
  await rig.pass();
  await isWatched();
});
afterEach(() => rig.close());
afterAll(async () => {
  await stage.close();
  await kept.close();
  vi.useRealTimers();
});

/** The streams of all tests. Those of earlier ones are closed. */
const streams: AccountStream[] = [];

function recording({ watch, ...exchange }: Exchange): Exchange {
  return {
    ...exchange,
    watch(keys, onChange) {
      const stream = watch?.(keys, onChange);
      if (stream) streams.push(stream);
      return stream;
    },
  };
}

/** Waits until so many streams work, for the exchange and for the engine. */
async function isWatched(count = 1): Promise<void> {
  const live = () => streams.filter(({ isLive }) => isLive).length;
  await vi.waitFor(() => expect([stage.server.streams.subscribed(), live()]).toEqual([count, count]));
}

/** Returns the calls for the account during a time without a candle. */
async function callsIn(ms: number): Promise<string[]> {
  const before = stage.server.calls.length;
  rig.wait(ms);
  await rig.pass();
  return stage.server.calls.slice(before).map(({ path }) => path);
}

test('a stop is noticed when it happens, without a round of the engine', async () => {
  await rig.signal();
  expect(await rig.position()).toMatchObject({ stop: STOP });
  rig.move(STOPPED);
  await vi.waitFor(async () => expect(await rig.trades()).toMatchObject([{ reason: 'stop' }]));
  expect(await rig.position()).toBeNull();
});

test('a watched account gets a look every 12 minutes, and every 5 with a position', async () => {
  await rig.pass();
  expect(await callsIn(10 * MINUTE)).toEqual([]);
  expect(await callsIn(2 * MINUTE)).toEqual(['position/list']);
  await rig.signal();
  expect(await callsIn(4 * MINUTE)).toEqual([]);
  expect(await callsIn(MINUTE)).toEqual(['execution/list', 'position/list']);
});

test('while its stream is lost, an account gets a look every 5 minutes, and every minute with a position', async () => {
  await rig.pass();
  stage.server.streams.faults.isDown = true;
  stage.server.streams.cut();
  await isWatched(0);
  expect(await callsIn(6 * MINUTE)).toEqual(['position/list']);
  await rig.signal();
  expect(await callsIn(MINUTE)).toEqual(['execution/list', 'position/list']);
  stage.server.streams.faults.isDown = false;
});

test('a process that no longer leads closes its streams', async () => {
  await kept.db.update(leases).set({ owner: 'another process', until: new Date(stage.scene.now() + 30 * SECOND) });
  await rig.pass();
  await isWatched(0);
});

test('a burst of changes costs one look in five seconds', async () => {
  let change: () => void = () => undefined;
  const looks: (readonly string[])[] = [];
  let now = stage.scene.now();
  const watch = createAccountWatch({
    db: kept.db,
    clock: () => now,
    exchange: {
      ...stage.exchange,
      watch(_keys, onChange) {
        change = onChange;
        return { isLive: true, close: () => undefined };
      },
    },
    safe: createKeySafe(SECRETS_KEY),
    look: async (botIds) => void looks.push(botIds),
    log: { error: console.error, warn: console.error },
  });
  await watch.update();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  for (let message = 0; message < 100; message++) change();
  vi.advanceTimersByTime(1000);
  expect(looks).toEqual([watch.live()]);
  change();
  vi.advanceTimersByTime(1000);
  expect(looks).toHaveLength(1);
  now += 5 * SECOND;
  vi.advanceTimersByTime(1000);
  expect(looks).toHaveLength(2);
  watch.close();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
