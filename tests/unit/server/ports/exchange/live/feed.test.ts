import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DAY, MINUTE, SECOND } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { createPageReader } from '#server/ports/exchange/bybit/candle-pages.ts';
import { ExchangeError } from '#server/ports/exchange/exchange.ts';
import { createLiveFeed } from '#server/ports/exchange/live/feed.ts';

const LENGTH = 15 * MINUTE;
const START = Date.UTC(2026, 0, 5);

/** A market whose candles close at their index as price. It can be unreachable or have gaps. */
function createMarket() {
  const asked: Record<string, unknown>[] = [];
  const reports: unknown[] = [];
  const state = { away: false, holes: new Set<number>(), once: new Set<number>() };
  const connections = {
    now: () => Date.now(),
    updateClock: () => undefined,
    public: {
      home: () => '',
      write: () => Promise.reject(new Error('nothing is written')),
      async read(_call: string, params: Record<string, unknown>) {
        asked.push(params);
        if (state.away) throw new ExchangeError('unavailable', 'away');
        const length = params.interval === 'D' ? DAY : Number(params.interval) * MINUTE;
        const open = Math.floor(Date.now() / length) * length;
        const last = Math.min(Math.floor(Number(params.end ?? open) / length) * length, open);
        const list: string[][] = [];
        for (let time = last; list.length < Number(params.limit) && time >= Number(params.start ?? 0); time -= length) {
          const hole = state.holes.has(time) || state.once.delete(time);
          const close = String(1 + time / length);
          if (!hole) list.push([String(time), close, close, close, close, '1', '1']);
        }
        return { result: { list }, time: Date.now() };
      },
    },
  };
  const pages = createPageReader(connections);
  const feed = createLiveFeed({
    now: connections.now,
    pages,
    source: 'test',
    interval: LENGTH,
    report: (error) => void reports.push(error),
  });
  return { feed, state, asked, reports };
}

const heard = (feed: ReturnType<typeof createMarket>['feed']): number[] => {
  const times: number[] = [];
  feed.onClose(({ time }) => void times.push((time - START) / LENGTH));
  return times;
};
const numbers = (candles: readonly Candle[]) => candles.map(({ time }) => (time - START) / LENGTH);

beforeEach(() => void vi.useFakeTimers({ now: START + 5 * LENGTH + MINUTE }));
afterEach(() => void vi.useRealTimers());

describe('candles', () => {
  test('that are closed load once', async () => {
    const { feed, asked } = createMarket();
    expect(numbers(await feed.closed(3))).toEqual([2, 3, 4]);
    expect(numbers(await feed.closed(2))).toEqual([3, 4]);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(LENGTH);
    expect(numbers(await feed.closed(4))).toEqual([2, 3, 4, 5]);
    expect(asked).toHaveLength(2);
  });

  test('load in pages, and extend earlier ones', async () => {
    const { feed, asked } = createMarket();
    await feed.closed(10);
    const many = await feed.closed(2500);
    expect(many).toHaveLength(2500);
    expect(numbers(many).slice(-2)).toEqual([3, 4]);
    expect(asked).toHaveLength(4);
  });

  test('are open until they are final', async () => {
    const { feed } = createMarket();
    vi.setSystemTime(START + 5 * LENGTH + SECOND / 2);
    expect(numbers(await feed.candles(LENGTH, 3))).toEqual([2, 3, 4]);
    vi.setSystemTime(START + 5 * LENGTH + SECOND);
    expect(numbers(await feed.candles(LENGTH, 3))).toEqual([3, 4, 5]);
  });

  test('of other lengths follow their own clock', async () => {
    const { feed } = createMarket();
    expect((await feed.candles(DAY, 2)).map(({ time }) => time)).toEqual([START - DAY, START]);
  });

  test('load once for concurrent callers', async () => {
    const { feed, asked } = createMarket();
    await Promise.all(Array.from({ length: 5 }, () => feed.forming()));
    expect(asked).toHaveLength(1);
  });

  test('fill a gap that two requests confirm', async () => {
    const { feed, state, asked } = createMarket();
    state.holes.add(START + 3 * LENGTH);
    const [before, filled] = (await feed.closed(4)).slice(1);
    expect(asked).toHaveLength(2);
    expect(filled).toEqual({ ...before, time: START + 3 * LENGTH, volume: 0 });
  });

  test("keep the second request's candles if only the first had a gap", async () => {
    const { feed, state } = createMarket();
    state.once.add(START + 3 * LENGTH);
    expect((await feed.closed(4))[2]?.volume).toBe(1);
  });

  test('that fail to load reject, and load again on the next call', async () => {
    const { feed, state } = createMarket();
    state.away = true;
    await expect(feed.closed(1)).rejects.toMatchObject({ trouble: 'unavailable' });
    await expect(feed.forming()).rejects.toMatchObject({ trouble: 'unavailable' });
    state.away = false;
    expect(numbers(await feed.closed(1))).toEqual([4]);
    expect(numbers([await feed.forming()])).toEqual([5]);
  });
});

describe('a listener', () => {
  test('gets each candle soon after its close', async () => {
    const { feed } = createMarket();
    const times = heard(feed);
    await vi.advanceTimersByTimeAsync(14 * MINUTE + SECOND - 1);
    expect(times).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(times).toEqual([5]);
    await vi.advanceTimersByTimeAsync(LENGTH);
    expect(times).toEqual([5, 6]);
    feed.close();
  });

  test("gets an outage's candles afterwards, in order, and reports the outage once", async () => {
    const { feed, state, reports } = createMarket();
    const times = heard(feed);
    state.away = true;
    await vi.advanceTimersByTimeAsync(4 * LENGTH);
    expect(times).toEqual([]);
    expect(reports).toHaveLength(1);
    state.away = false;
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(times).toEqual([5, 6, 7, 8]);
    feed.close();
  });

  test('is awaited, and its failure does not affect other listeners', async () => {
    const { feed, reports } = createMarket();
    const order: string[] = [];
    feed.onClose(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5 * SECOND));
      order.push('slow');
      throw new Error('failed');
    });
    feed.onClose(() => void order.push('quick'));
    await vi.advanceTimersByTimeAsync(LENGTH);
    expect(order).toEqual(['slow', 'quick']);
    expect(reports).toEqual([new Error('failed')]);
    feed.close();
  });

  test('gets nothing after close', async () => {
    const { feed } = createMarket();
    const times = heard(feed);
    feed.close();
    await vi.advanceTimersByTimeAsync(3 * LENGTH);
    expect(times).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('gets the next candle after a clock change', async () => {
    const { feed } = createMarket();
    const times = heard(feed);
    vi.setSystemTime(START + 9 * LENGTH + MINUTE);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(times).toEqual([5, 6, 7, 8]);
    feed.close();
  });
});
