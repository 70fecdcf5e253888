import { beforeEach, describe, expect, it } from 'vitest';
import { type Held, lastGood, TryLater } from '#server/ports/market-data/last-good.ts';

let now = 0;
let asked: number;
let answers: (number | Error)[];
let told: [string, number | undefined][];

const source = () =>
  lastGood({
    async ask() {
      asked++;
      const next = answers.shift() ?? new Error('nothing left');
      if (next instanceof Error) throw next;
      return next;
    },
    lifetime: 60_000,
    clock: () => now,
    onFailure: (error, instead: Held<number> | undefined) => told.push([(error as Error).message, instead?.value]),
  });

beforeEach(() => {
  now = 1e12;
  asked = 0;
  answers = [];
  told = [];
});

describe('a cached answer', () => {
  it('is valid for its lifetime, and the same object', async () => {
    answers = [1, 2];
    const kept = source();
    const first = await kept.get();
    expect(first).toEqual({ value: 1, stale: false });
    now += 59_999;
    expect(await kept.get()).toBe(first);
    expect(await kept.fresh()).toBe(first);
    now += 1;
    expect(await kept.fresh()).toBeUndefined();
    expect(kept.last()).toBe(first);
    expect(await kept.get()).toEqual({ value: 2, stale: false });
    expect(asked).toBe(2);
  });

  it('is requested once for concurrent callers', async () => {
    answers = [1, 2];
    const kept = source();
    const all = await Promise.all([kept.get(), kept.get(), kept.get()]);
    expect(new Set(all).size).toBe(1);
    expect(asked).toBe(1);
  });

  it('survives failures, is marked as stale once, and recovers', async () => {
    answers = [1, new Error('down'), new Error('still down'), 2];
    const kept = source();
    await kept.get();
    now += 60_000;
    const stale = await kept.get();
    expect(stale).toEqual({ value: 1, stale: true });
    now += 5000;
    expect(await kept.get()).toBe(stale);
    expect(asked).toBe(3);
    now += 10_000;
    expect(await kept.get()).toEqual({ value: 2, stale: false });
    expect(told).toEqual([
      ['down', 1],
      ['still down', 1],
    ]);
  });
});

describe('after a failure', () => {
  it('waits longer each time, up to five minutes', async () => {
    const kept = source();
    const ask = () => kept.get().catch(() => undefined);
    const waits: number[] = [];
    await ask();
    for (let failedAt = now; waits.length < 8; ) {
      const before = asked;
      now += 2500;
      await ask();
      if (asked === before) continue;
      waits.push(now - failedAt);
      failedAt = now;
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 300, 300].map((seconds) => seconds * 1000));
  });

  it('waits as long as the provider says', async () => {
    answers = [new TryLater('busy', 90_000), 1];
    const kept = source();
    await expect(kept.get()).rejects.toThrow('busy');
    now += 89_999;
    await expect(kept.get()).rejects.toThrow('busy');
    expect(asked).toBe(1);
    now += 1;
    expect(await kept.get()).toEqual({ value: 1, stale: false });
  });
});
