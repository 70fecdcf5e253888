import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CoinTicks } from '#contract/market/coin-ticks.ts';
import { createTicks } from '#server/modules/market/ticks.ts';
import type { MarketSnapshot } from '#server/ports/market-data/market-data.ts';
import { coinWith, stillMarket } from '#tests/support/market/market.ts';

const EVERY = 5000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.unstubAllGlobals(); // first: it puts back the fake timers that were there when a global was replaced
  vi.useRealTimers();
});

const snapshotOf = (prices: Record<number, number | null>): MarketSnapshot => ({
  source: { name: 'Test', demo: true, asOf: '2026-05-13T00:00:00.000Z' },
  coins: Object.entries(prices).map(([id, price]) => coinWith({ id: Number(id), usd: { price } })),
});

/** Ticks of a market whose snapshot the test sets. Counts the calls. */
function setUp(first: MarketSnapshot) {
  const snapshot = vi.fn(async () => first);
  const failures: unknown[] = [];
  const ticks = createTicks({ market: { ...stillMarket(), snapshot }, everyMs: EVERY, report: (error) => failures.push(error) });
  function feed(takes: () => boolean = () => true) {
    const heard: (readonly [number, number | null])[][] = [];
    const { watch } = ticks.open(({ coins }: CoinTicks) => {
      if (!takes()) return false;
      heard.push(coins.map(({ id, quote }) => [id, quote.USD.price] as const));
      return true;
    });
    return { watch, heard };
  }
  return { snapshot, failures, feed };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

test('polls the market once for all subscribers, and never without subscribers', async () => {
  const { snapshot, feed } = setUp(snapshotOf({ 1: 10, 2: 20 }));
  await vi.advanceTimersByTimeAsync(10 * EVERY);
  expect(snapshot).not.toHaveBeenCalled();

  const feeds = Array.from({ length: 100 }, () => feed());
  for (const { watch } of feeds) watch([1]);
  await settle();
  const late = feed();
  late.watch([2]);
  expect(snapshot).toHaveBeenCalledTimes(1);
  expect(late.heard).toEqual([[[2, 20]]]);
  expect(feeds.every(({ heard }) => heard.length === 1)).toBe(true);

  snapshot.mockImplementation(async () => snapshotOf({ 1: 11, 2: 20 }));
  await vi.advanceTimersByTimeAsync(3 * EVERY + 1);
  expect(snapshot).toHaveBeenCalledTimes(4);
  expect(feeds.every(({ heard }) => JSON.stringify(heard) === '[[[1,10]],[[1,11]]]')).toBe(true);
  expect(late.heard).toHaveLength(1);

  for (const { watch } of feeds) watch([]);
  late.watch([]);
  expect(vi.getTimerCount()).toBe(0);
});

test('does not poll a slow provider again, and drops its late answer for subscribers that left', async () => {
  const { snapshot, feed } = setUp(snapshotOf({ 1: 10 }));
  let answer = (_late: MarketSnapshot): void => undefined;
  snapshot.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
  const { watch, heard } = feed();
  watch([1]);
  await vi.advanceTimersByTimeAsync(3 * EVERY);
  expect(snapshot).toHaveBeenCalledTimes(1);
  watch([]);
  answer(snapshotOf({ 1: 9 }));
  await settle();
  watch([1]);
  await settle();
  expect(heard).toEqual([[[1, 10]]]);
});

test('a busy subscriber gets the latest values on the next poll', async () => {
  const { snapshot, feed } = setUp(snapshotOf({ 1: 10, 2: 20 }));
  let free = false;
  const { watch, heard } = feed(() => free);
  watch([1, 2]);
  await settle();
  expect(heard).toEqual([]);
  free = true;
  snapshot.mockImplementation(async () => snapshotOf({ 1: null, 2: 20 }));
  await vi.advanceTimersByTimeAsync(EVERY);
  await vi.advanceTimersByTimeAsync(EVERY);
  expect(heard).toEqual([
    [
      [1, null],
      [2, 20],
    ],
  ]);
});

/** Holds what the process does in its next turns. `one` runs the next of them. */
function holdTurns() {
  const held: (() => void)[] = [];
  vi.stubGlobal('setImmediate', (run: () => void) => void held.push(run));
  return {
    held,
    async one() {
      held.shift()?.();
      await settle();
    },
  };
}

test('serves thousands of subscribers in portions, between which the process does other work', async () => {
  const { snapshot, feed } = setUp(snapshotOf({ 1: 10 }));
  const feeds = Array.from({ length: 1050 }, () => feed());
  const haveHeard = (times: number) => feeds.filter(({ heard }) => heard.length === times).length;
  for (const { watch } of feeds) watch([1]);
  await vi.advanceTimersByTimeAsync(100);
  expect(haveHeard(1)).toBe(1050);

  const turns = holdTurns();
  snapshot.mockImplementation(async () => snapshotOf({ 1: 11 }));
  await vi.advanceTimersByTimeAsync(EVERY);
  for (let served = 100; served <= 1000; served += 100) {
    expect(haveHeard(2)).toBe(served);
    expect(turns.held).toHaveLength(1);
    await turns.one();
  }
  expect(haveHeard(2)).toBe(1050);
  expect(turns.held).toEqual([]);
});

test('a subscriber that waits gets the latest prices once, before those that have had some; one that leaves gets none', async () => {
  const { snapshot, feed } = setUp(snapshotOf({ 1: 10 }));
  const feeds = Array.from({ length: 250 }, () => feed());
  for (const { watch } of feeds) watch([1]);
  await vi.advanceTimersByTimeAsync(100);

  const turns = holdTurns();
  snapshot.mockImplementation(async () => snapshotOf({ 1: 11 }));
  await vi.advanceTimersByTimeAsync(EVERY);
  snapshot.mockImplementation(async () => snapshotOf({ 1: 12 }));
  await vi.advanceTimersByTimeAsync(EVERY);
  feeds[249]?.watch([]);
  const pricesOf = (index: number) => feeds[index]?.heard.map(([coin]) => coin?.[1]);
  await turns.one();
  expect([pricesOf(0), pricesOf(100), pricesOf(248)]).toEqual([[10, 11], [10, 12], [10]]);
  while (turns.held.length > 0) await turns.one();
  expect([pricesOf(0), pricesOf(100), pricesOf(248), pricesOf(249)]).toEqual([[10, 11, 12], [10, 12], [10, 12], [10]]);
});

test('reports a failure and continues to poll', async () => {
  const { snapshot, failures, feed } = setUp(snapshotOf({ 1: 10 }));
  snapshot.mockRejectedValueOnce(new Error('down'));
  const { watch, heard } = feed();
  watch([1]);
  await vi.advanceTimersByTimeAsync(EVERY);
  expect(failures).toEqual([new Error('down')]);
  expect(heard).toEqual([[[1, 10]]]);
});
