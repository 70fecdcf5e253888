import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { DAY, HOUR, MINUTE } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { paperFeed } from '#server/db/schema/paper.ts';
import { chooseFeed } from '#server/ports/exchange/paper/current-feed.ts';
import { readHistory } from '#server/ports/exchange/paper/history.ts';
import { createReplayFeed, type ReplayFeed } from '#server/ports/exchange/paper/replay-feed.ts';
import { openTestDb, type TestDb } from '#tests/support/bots/paper-account.ts';

const START = Date.UTC(2026, 10, 21, 9, 7, 3);
let store: TestDb;
let now: number;
let feeds: ReplayFeed[];
let failures: unknown[];

beforeAll(async () => {
  store = await openTestDb();
});
afterAll(() => store.remove());

beforeEach(async () => {
  await store.db.delete(paperFeed);
  now = START;
  feeds = [];
  failures = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  for (const feed of feeds) feed.close();
  vi.useRealTimers();
});

async function open({ speed = 60, interval = 15 * MINUTE, clock = () => now } = {}): Promise<ReplayFeed> {
  const historyStart = readHistory()[0]?.time ?? 0;
  const onChange = async () => undefined;
  const anchor = await chooseFeed({ db: store.db, clock, want: 'replay', mayChange: true, speed, historyStart, onChange });
  const feed = createReplayFeed({ anchor, clock, interval, report: (error) => failures.push(error) });
  feeds.push(feed);
  return feed;
}

/** Advances clock and timers. */
async function pass(ms: number): Promise<void> {
  now += ms;
  await vi.advanceTimersByTimeAsync(ms);
}

test('starts at the current time with enough history, and runs at the configured speed', async () => {
  const feed = await open();
  expect(feed.now()).toBe(START);
  const closed = await feed.closed(500);
  expect(closed).toHaveLength(500);
  expect(closed.at(-1)?.time).toBe(Date.UTC(2026, 10, 21, 8, 45));
  closed.reduce((before, candle) => {
    expect(candle.time - before.time).toBe(15 * MINUTE);
    return candle;
  });
  now += MINUTE;
  expect(feed.now()).toBe(START + HOUR);
  expect((await feed.closed(1))[0]?.time).toBe(Date.UTC(2026, 10, 21, 9, 45));
});

test('names the original dates of its history, and of the current price', async () => {
  const feed = await open();
  now += 50 * MINUTE;
  const replay = feed.replay?.();
  expect(replay).toMatchObject({ from: '2025-03-06T10:30:00.000Z', to: '2025-04-13T07:15:00.000Z' });
  const { high = 0, low = 0 } = readHistory().find(({ time }) => time === Date.parse(replay?.at ?? '')) ?? {};
  const price = feed.priceAt(feed.now());
  expect(price).toBeGreaterThanOrEqual(low);
  expect(price).toBeLessThanOrEqual(high);
});

test('continues at the same time after a restart, in every process, for any range of candles', async () => {
  const feed = await open();
  now += 90 * MINUTE;
  const [candles, days] = [await feed.closed(50), await feed.candles(DAY, 3)];
  await store.reopen();
  const again = await open();
  expect(again.now()).toBe(feed.now());
  expect(await again.closed(50)).toEqual(candles);
  const hourly = await open({ interval: HOUR });
  expect(hourly.now()).toBe(feed.now());
  expect(await hourly.candles(DAY, 3)).toEqual(days);
});

test('continues without a jump at another speed', async () => {
  const fast = await open({ speed: 3600 });
  now += MINUTE;
  const [time, price] = [fast.now(), fast.priceAt(fast.now())];
  const real = await open({ speed: 1 });
  expect(real.now()).toBe(time);
  expect(real.priceAt(real.now())).toBe(price);
  expect(await real.closed(20)).toEqual(await fast.closed(20));
  now += MINUTE;
  expect(real.now()).toBe(time + MINUTE);
});

test('reports every candle as it closes, in order and on time', async () => {
  const feed = await open({ speed: 3600 });
  const heard: Candle[] = [];
  const end = feed.onClose((candle) => void heard.push(candle));
  for (let tick = 0; tick < 40; tick++) {
    await pass(50);
    if (heard.length > 0) expect(heard.at(-1)).toEqual((await feed.closed(1))[0]);
  }
  expect(heard).toHaveLength(8);
  expect(heard).toEqual(await feed.closed(8));
  end();
  await pass(1000);
  expect(heard).toHaveLength(8);
});

test('skips no candle after the process slept, and waits for its listeners', async () => {
  const feed = await open();
  const heard: number[] = [];
  let busy = 0;
  feed.onClose(async ({ time }) => {
    expect(++busy).toBe(1);
    await new Promise((done) => setTimeout(done, 40));
    busy--;
    heard.push(time);
  });
  now += 10 * MINUTE;
  await pass(15_000);
  await vi.advanceTimersByTimeAsync(5000);
  const told = (await feed.closed(heard.length)).map(({ time }) => time);
  expect(heard).toHaveLength(41);
  expect(heard).toEqual(told);
});

test('a failing listener does not affect the others', async () => {
  const feed = await open();
  const heard: number[] = [];
  feed.onClose(() => Promise.reject(new Error('busy')));
  feed.onClose(({ time }) => void heard.push(time));
  await pass(60_000);
  expect(heard).toHaveLength(4);
  expect(failures).toHaveLength(4);
});
