import { SECOND } from '#domain/clock.ts';
import { withDeadline } from './with-deadline.ts';

/** How long the work may take at the end of the process, ms. A mail server that says nothing holds a message for longer. */
const CLOSE_LIMIT = 3 * SECOND;

/** Runs work after the response is sent, so that its duration reveals nothing to the caller. */
export interface AfterResponse {
  run(work: () => Promise<unknown>): void;
  /** Resolves when all work has ended. */
  settled(): Promise<void>;
  /** Waits for the work at the end of the process, up to the limit. Reports work that it leaves. */
  close(): Promise<void>;
}

/** Creates the runner; failures go to `report`. `closeLimit`: ms. */
export function createAfterResponse(report: (error: unknown) => void, closeLimit = CLOSE_LIMIT): AfterResponse {
  const running = new Set<Promise<void>>();
  const settled = async () => void (await Promise.all(running));
  return {
    run(work) {
      const started = new Promise((resolve) => setImmediate(resolve));
      const done: Promise<void> = started
        .then(work)
        .then(() => undefined, report)
        .finally(() => running.delete(done));
      running.add(done);
    },
    settled,
    async close() {
      await withDeadline(closeLimit, undefined, settled).catch(() =>
        report(new Error(`the process ends before work after responses does, such as mail: ${running.size} unfinished`)),
      );
    },
  };
}
