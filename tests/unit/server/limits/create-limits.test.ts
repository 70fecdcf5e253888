import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLimits, type LimitOptions } from '#server/limits/create-limits.ts';
import type { CountStore, Limits, Uses } from '#server/limits/limits.ts';

const MINUTE = 60_000;
const log = { warn: vi.fn(), info: vi.fn() };
const open: Limits[] = [];

beforeEach(() => void vi.clearAllMocks());
afterEach(async () => {
  for (const limits of open.splice(0)) await limits.close();
});

/** A store in memory with its own clock. */
function memoryStore() {
  const windows = new Map<string, { used: number; endsAt: number }>();
  const batches: Uses[][] = [];
  const store = {
    now: 0,
    batches,
    /** Runs before a batch is sent, and after it is stored. */
    connect: async (): Promise<void> => undefined,
    answer: async (): Promise<void> => undefined,
    total: () => Math.max(0, ...[...windows.values()].map(({ used }) => used)),
    add: (async (uses, onSend) => {
      await store.connect();
      onSend();
      batches.push([...uses]);
      const counts = uses.map(({ id, amount, span }) => {
        const found = windows.get(id);
        const window = found && found.endsAt > store.now ? found : { used: 0, endsAt: store.now + span };
        window.used += amount;
        windows.set(id, window);
        return { used: window.used, left: window.endsAt - store.now };
      });
      await store.answer();
      return counts;
    }) as CountStore['add'],
    close: async () => undefined,
  };
  return store;
}

function process(store?: CountStore, options: Partial<LimitOptions> = {}): Limits {
  const limits = createLimits({ store, interval: 1, secret: 'secret', log, ...options });
  open.push(limits);
  return limits;
}

const allowed = (count: (key: string) => { isAllowed: boolean }, times: number, key = 'a') =>
  Array.from({ length: times }, () => count(key)).filter(({ isAllowed }) => isAllowed).length;

test('counts on an open window while ended ones are forgotten', () => {
  let now = 0;
  const count = process(undefined, { now: () => now }).counter('calls', { max: 2, span: 1000 });
  count('a');
  now = 900;
  count('b');
  now = 1000;
  expect(count('a').used).toBe(1);
  now = 1899;
  expect(count('b')).toEqual({ used: 2, left: 1, isAllowed: true });
  now = 2000;
  expect([count('a').used, count('b').used]).toEqual([1, 1]);
});

test('counts each key, and starts again when its window ends', () => {
  let now = 0;
  const count = process(undefined, { now: () => now }).counter('calls', { max: 2, span: 1000 });
  expect([count('a'), count('a'), count('a'), count('b')].map(({ isAllowed }) => isAllowed)).toEqual([true, true, false, true]);
  now = 999;
  expect(count('a')).toEqual({ used: 4, left: 1, isAllowed: false });
  now = 1000;
  expect(allowed(count, 3)).toBe(2);
});

test('two limits of one process cannot share a name, and so their uses', () => {
  const limits = process();
  limits.counter('calls', { max: 1, span: MINUTE });
  expect(() => limits.counter('calls', { max: 2, span: MINUTE })).toThrow('"calls"');
});

test.each([1, 3, 10])(
  'three processes that each send %i calls between two answers allow the limit and not twice that more',
  async (burst) => {
    const store = memoryStore();
    const counters = [1, 2, 3].map(() => process(store).counter('calls', { max: 30, span: MINUTE }));
    let sum = 0;
    let sent = 0;
    while (sent < 90) {
      let added = 0;
      for (const count of counters) {
        const some = allowed(count, burst);
        added += some;
        sent += burst;
      }
      sum += added;
      const total = sum;
      if (added > 0) await vi.waitFor(() => expect(store.total()).toBeGreaterThanOrEqual(total), { interval: 1 });
    }
    expect(sum).toBeGreaterThanOrEqual(30);
    expect(sum).toBeLessThanOrEqual(30 + 2 * burst);
  },
);

test('up to half of a limit, a window is sent when it opens, and then a 32nd of the limit at once', async () => {
  const store = memoryStore();
  const count = process(store).counter('calls', { max: 320, span: MINUTE });
  const amounts = () => store.batches.flat().map(({ amount }) => amount);
  /** Counts one use after the other, and lets each batch go that is due. */
  const use = async (times: number) => {
    for (let used = 0; used < times; used++) {
      count('a');
      await pause(2);
    }
  };
  await use(1);
  await vi.waitFor(() => expect(amounts()).toEqual([1]));
  await use(9);
  expect(amounts()).toEqual([1]);
  await use(1);
  await vi.waitFor(() => expect(amounts()).toEqual([1, 10]));
  allowed(count, 149);
  await vi.waitFor(() => expect(amounts()).toEqual([1, 10, 149]));
  await use(1);
  await vi.waitFor(() => expect(amounts()).toEqual([1, 10, 149, 1]));
});

test('three processes together allow a large limit, and not twice more than each may keep to itself', async () => {
  const store = memoryStore();
  /** Uses that decide nothing: less than a 32nd of the limit. */
  const KEPT = 9;
  const counters = [1, 2, 3].map(() => process(store).counter('calls', { max: 320, span: MINUTE }));
  let sum = 0;
  for (let round = 0; round < 320; round++) {
    for (const count of counters) sum += allowed(count, 1);
    const total = sum;
    await vi.waitFor(() => expect(store.total()).toBeGreaterThanOrEqual(total - 3 * KEPT), { interval: 1 });
  }
  expect(sum).toBeGreaterThanOrEqual(320);
  expect(sum).toBeLessThanOrEqual(320 + 2 * (KEPT + 1));
});

test('while no answer has come, each process allows the limit, and then none allows more', async () => {
  const store = memoryStore();
  const [one, other] = [1, 2].map(() => process(store).counter('calls', { max: 60, span: MINUTE }));
  if (!one || !other) throw new Error('no counters');
  expect([allowed(one, 100), allowed(other, 100)]).toEqual([60, 60]);
  await vi.waitFor(() => expect(store.total()).toBe(200));
  expect([allowed(one, 10), allowed(other, 10)]).toEqual([0, 0]);
});

test('windows end by the clock of the store, whatever the clocks of the processes say', async () => {
  const store = memoryStore();
  const [one, ahead] = [0, 200_000].map((skew) => process(store, { now: () => skew }).counter('calls', { max: 5, span: MINUTE }));
  if (!one || !ahead) throw new Error('no counters');
  one('a');
  await vi.waitFor(() => expect(store.total()).toBe(1));
  store.now = 50_000;
  ahead('a');
  await vi.waitFor(() => expect(ahead('a').left).toBe(10_000));
  expect(ahead('a').used).toBeGreaterThan(2);
  store.now = 61_000;
  one('b');
  await vi.waitFor(() => expect(store.batches.at(-1)).toHaveLength(1));
  expect(one('a').used).toBeGreaterThan(1);
});

test('a store that does not answer delays no call; the process counts alone, says so once, and shares again later', async () => {
  const store = memoryStore();
  const count = process(store).counter('calls', { max: 5, span: MINUTE });
  let fail: (error: Error) => void = () => undefined;
  store.answer = () => new Promise((_, reject) => (fail = reject));
  expect(allowed(count, 2)).toBe(2);
  await vi.waitFor(() => expect(store.batches).toHaveLength(1));
  expect(allowed(count, 10)).toBe(3);
  store.connect = async () => {
    throw new Error('refused');
  };
  fail(new Error('no answer'));
  await vi.waitFor(() => expect(log.warn).toHaveBeenCalledOnce());
  expect(allowed(count, 10)).toBe(0);
  store.connect = store.answer = async () => undefined;
  await vi.waitFor(() => expect(log.info).toHaveBeenCalledOnce());
  expect(log.warn).toHaveBeenCalledOnce();
  // The first two uses were stored before the answer was lost, and are not sent again.
  expect(store.total()).toBe(22);
});

test('calls beyond the limit cost the store nothing', async () => {
  const store = memoryStore();
  const count = process(store).counter('calls', { max: 5, span: MINUTE });
  allowed(count, 10);
  await vi.waitFor(() => expect(store.batches).toHaveLength(1));
  await vi.waitFor(() => expect(allowed(count, 1000)).toBe(0));
  count('b');
  await vi.waitFor(() => expect(store.batches.flat()).toHaveLength(2));
});

test('a million addresses are sent in bounded batches, and a key in use is counted on while others are forgotten', {
  timeout: 60_000,
}, async () => {
  const store = memoryStore();
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  store.connect = () => gate;
  const count = process(store, { now: () => 0 }).counter('calls', { max: 5, span: MINUTE });
  for (let address = 0; address < 1_000_000; address++) {
    count(`${address}`);
    if (address % 4_000 === 0) count('in use');
  }
  expect(count('in use').used).toBeGreaterThan(100);
  // The gate held the first batch: with it, 20,000 windows and the one in use wait at most.
  open();
  await vi.waitFor(() => expect(store.batches.flat().length).toBeGreaterThanOrEqual(20_000), { timeout: 30_000 });
  expect(store.batches.flat().length).toBeLessThanOrEqual(21_001);
  expect(Math.max(...store.batches.map(({ length }) => length))).toBe(1_000);
  expect(count('0').used).toBe(1);
});

test('the store sees neither addresses nor names, and ids that depend on limit, key and secret', async () => {
  const store = memoryStore();
  const [limits, stranger] = [process(store), process(store, { secret: 'other' })];
  const one = limits.counter('calls', { max: 5, span: MINUTE });
  const two = limits.counter('mails', { max: 5, span: MINUTE });
  const three = stranger.counter('calls', { max: 5, span: MINUTE });
  for (const count of [one, two, three]) count('ada@example.com');
  one('10.1.1.1');
  await vi.waitFor(() => expect(store.batches.flat()).toHaveLength(4));
  const ids = store.batches.flat().map(({ id }) => id);
  expect(new Set(ids).size).toBe(4);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
});

test('finds out that the store is back without another call', async () => {
  const store = memoryStore();
  const count = process(store).counter('calls', { max: 5, span: MINUTE });
  store.answer = () => Promise.reject(new Error('no answer'));
  count('a');
  await vi.waitFor(() => expect(log.warn).toHaveBeenCalledOnce());
  store.answer = async () => undefined;
  await vi.waitFor(() => expect(log.info).toHaveBeenCalledOnce());
  expect(store.total()).toBe(1);
});
