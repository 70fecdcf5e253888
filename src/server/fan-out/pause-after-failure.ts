import { setTimeout as pause } from 'node:timers/promises';

interface Options {
  /** First and longest pause, ms. */
  first: number;
  max: number;
  /** Ends the pause. */
  signal: AbortSignal;
}

/** Pauses before the next attempt: longer after each of `failures`, and at random, so that processes do not try together. */
export async function pauseAfterFailure(failures: number, { first, max, signal }: Options): Promise<void> {
  const longest = Math.min(first * 2 ** failures, max);
  await pause(longest * (0.5 + Math.random() / 2), undefined, { signal, ref: false }).catch(() => undefined);
}
