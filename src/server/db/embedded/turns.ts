import { setImmediate } from 'node:timers';

/** Time that statements of the embedded database may keep the process from all else, ms. */
const MAX_ALONE = 20;

/**
 * Creates a function that waits, after a statement, until the process has looked for requests, unless it did so a moment ago. Statements of the
 * embedded database follow each other without that, however many there are.
 */
export function createTurns(): () => Promise<void> | undefined {
  /** When the process last looked for requests, if it has not since then. */
  let since: number | undefined;
  return () => {
    if (since === undefined) {
      since = performance.now();
      setImmediate(() => {
        since = undefined;
      });
    }
    if (performance.now() - since < MAX_ALONE) return undefined;
    return new Promise((resolve) => setImmediate(resolve));
  };
}
