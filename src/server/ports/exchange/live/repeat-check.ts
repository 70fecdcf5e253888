import { SECOND } from '#domain/clock.ts';

/** Default of `limit`, ms. */
const START_LIMIT = 3 * SECOND;

/** Times of live prices, ms. Tests set them. */
export interface PriceTiming {
  /** How long a start waits for the exchange's first answer. */
  reach?: number;
  /** How long a start waits for the first prices. */
  limit?: number;
  /** Time between two checks of the price. */
  every?: number;
}

interface Options {
  check: () => Promise<void>;
  /** Time between two checks, ms. */
  every: number;
  /** How long the first check delays a start, ms. */
  limit?: number | undefined;
  /** Receives one error per outage. */
  report: (error: unknown) => void;
}

/** Repeats a check until it is closed. Resolves when the first check has succeeded or failed, at the latest after `limit`. */
export async function repeatCheck({ check, every, limit = START_LIMIT, report }: Options): Promise<{ close(): void }> {
  let hasFailed = false;
  async function checkAndReport(): Promise<void> {
    try {
      await check();
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) report(error);
      hasFailed = true;
    }
  }
  const timer = setInterval(checkAndReport, every).unref();
  await Promise.race([checkAndReport(), new Promise((resolve) => setTimeout(resolve, limit).unref())]);
  return { close: () => clearInterval(timer) };
}
