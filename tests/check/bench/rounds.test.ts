import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runRounds } from '#tests/bench/rounds.ts';

let now = 0;
beforeEach(() => {
  now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => vi.restoreAllMocks());

const lasting =
  (...lengths: number[]) =>
  async (round: number) => {
    now += lengths[round - 1] ?? 0;
  };

test('runs all rounds that end within the limit', async () => {
  expect(await runRounds(3, 30, lasting(10, 10, 10))).toBe(3);
});

test('starts no round that would end too late, but always the first', async () => {
  expect(await runRounds(5, 30, lasting(10, 12, 9))).toBe(2);
  expect(await runRounds(5, 30, lasting(100))).toBe(1);
});

test('stops at a failed round', async () => {
  await expect(runRounds(5, 30, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});
