import { SECOND } from '#domain/clock.ts';

/** How long the first check delays a start, ms. */
const START_LIMIT = 3 * SECOND;

interface Options {
  check: () => Promise<void>;
  /** Time between two checks, ms. */
  every: number;
  /** Receives one error per outage. */
  report: (error: unknown) => void;
}

/** Repeats a check until it is closed. Resolves after the first check, or after three seconds. */
export async function repeatCheck({ check, every, report }: Options): Promise<{ close(): void }> {
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
  await Promise.race([checkAndReport(), new Promise((resolve) => setTimeout(resolve, START_LIMIT).unref())]);
  return { close: () => clearInterval(timer) };
}
