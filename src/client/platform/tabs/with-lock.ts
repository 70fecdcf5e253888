/** How often a waiting request looks who holds the lock, ms. */
const LOOK_EVERY = 5_000;

/**
 * Runs `work` while no other tab or worker runs work under the same name, and settles as it does. Chromium can keep
 * requests waiting for a lock that no one holds (decision 690): a request that sees this twice takes the lock.
 */
export function withLock<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const waiting = new AbortController();
    let isRunning = false;
    let looks = 0;

    // The work settles the promise: a request whose lock was taken is rejected while its work goes on.
    const run = () => {
      clearInterval(timer);
      isRunning = true;
      const working = work();
      working.then(resolve, reject);
      return working;
    };
    const fail = (error: unknown) => {
      if (isRunning) return;
      clearInterval(timer);
      reject(error);
    };
    const look = async () => {
      const isStuck = await isWaitingForNoOne(name);
      looks = isStuck ? looks + 1 : 0;
      if (looks < 2 || isRunning || waiting.signal.aborted) return;
      waiting.abort();
      await navigator.locks.request(name, { steal: true }, run);
    };
    const timer = setInterval(() => void look().catch(fail), LOOK_EVERY);
    navigator.locks.request(name, { signal: waiting.signal }, run).catch((error) => waiting.signal.aborted || fail(error));
  });
}

/** Returns whether requests wait for a lock that no one holds. The first of them should have it. */
async function isWaitingForNoOne(name: string): Promise<boolean> {
  const { held = [], pending = [] } = await navigator.locks.query();
  const isOurs = (lock: LockInfo) => lock.name === name;
  return pending.some(isOurs) && !held.some(isOurs);
}
