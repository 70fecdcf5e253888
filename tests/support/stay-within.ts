// Tests replace these.
const { now } = Date;
const wait = globalThis.setTimeout;

/** Returns how long to wait, ms, until `span` ms fit into a window: windows of `length` ms follow each other from 1970 in UTC. */
export function waitForWindow(time: number, length: number, span: number): number {
  const left = length - (time % length);
  return left > span ? 0 : left;
}

/** Waits until the minute, hour or day of `length` ms does not end for `span` ms: budgets begin again there. */
export async function stayWithin(length: number, span: number): Promise<void> {
  const time = waitForWindow(now(), length, span);
  if (time > 0) await new Promise((resolve) => wait(resolve, time));
}
