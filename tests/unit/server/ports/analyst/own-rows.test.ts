import { expect, it, vi } from 'vitest';
import { createOwnOf } from '#server/ports/analyst/own-rows.ts';
import { bot } from '#tests/support/bots/listed-bot.ts';

const planOf = async () => ({ planType: 'FREE' as const, extraQuestions: 1, extraChatAnalysis: 2 });
const clock = () => 1000;

it('reads the rows of the given user, with the time', async () => {
  const botsOf = vi.fn(async () => [bot()]);
  const own = createOwnOf({ clock, planOf, botsOf })('ada');
  expect(await own.bots()).toEqual({ bots: [bot()], asOf: 1000 });
  expect(botsOf).toHaveBeenCalledWith('ada');
  expect(await own.plan()).toMatchObject({ planType: 'FREE', extraQuestions: 1, asOf: 1000 });
});

it('has no bots at hand while their exchange does not answer, and reports any other failure', async () => {
  vi.useFakeTimers();
  const hanging = createOwnOf({ clock, planOf, botsOf: () => new Promise(() => undefined) })('ada').bots();
  await vi.advanceTimersByTimeAsync(3000);
  vi.useRealTimers();
  expect(await hanging).toBeUndefined();
  await expect(createOwnOf({ clock, planOf, botsOf: () => Promise.reject(new Error('lost')) })('ada').bots()).rejects.toThrow('lost');
});
