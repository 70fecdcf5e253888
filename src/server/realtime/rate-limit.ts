import type { Clock } from '#domain/clock.ts';

/** Allows each key `limit` calls in a window of `span` ms that starts with its first call. Kept in memory, for this process. */
export function createRateLimit({ limit, span, clock }: { limit: number; span: number; clock: Clock }) {
  const windows = new Map<string, { until: number; used: number }>();
  let sweepAt = clock() + span;

  function sweep(now: number) {
    if (now < sweepAt) return;
    sweepAt = now + span;
    for (const [key, window] of windows) if (window.until <= now) windows.delete(key);
  }

  /** Returns whether the key is within its limit. */
  return (key: string): boolean => {
    const now = clock();
    sweep(now);
    const window = windows.get(key);
    if (!window || window.until <= now) {
      windows.set(key, { until: now + span, used: 1 });
      return true;
    }
    window.used += 1;
    return window.used <= limit;
  };
}
