import { DAY, HOUR } from '#domain/clock.ts';

/** How often the terms are read, and how soon again after a failure, ms. */
const REFRESH = DAY;
const RETRY = HOUR;

interface Options<Terms> {
  read: () => Promise<Terms>;
  /** Terms for as long as none could be read; without it, the call rejects. */
  fallback?: Terms;
  /** Returns the exchange's time, ms. */
  now: () => number;
  /** Receives the error of a refresh that failed. */
  report: (error: unknown) => void;
}

/** Creates the reader of a market's terms. It reads them once a day; when that fails, the terms of the day before remain. */
export function createDailyTerms<Terms>({ read, fallback, now, report }: Options<Terms>): () => Promise<Terms> {
  let known: Terms | undefined;
  let dueAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<Terms> | undefined;

  return async () => {
    if (known && now() < dueAt && dueAt <= now() + REFRESH) return known;
    reading ??= read().finally(() => {
      reading = undefined;
    });
    try {
      known = await reading;
      dueAt = now() + REFRESH;
    } catch (error) {
      known ??= fallback;
      if (!known) throw error;
      dueAt = now() + RETRY;
      report(error);
    }
    return known;
  };
}
