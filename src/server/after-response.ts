/** Runs work after the response is sent, so that its duration reveals nothing to the caller. */
export interface AfterResponse {
  run(work: () => Promise<unknown>): void;
  /** Resolves when all work has ended. */
  settled(): Promise<void>;
}

/** Creates the runner; failures go to `report`. */
export function createAfterResponse(report: (error: unknown) => void): AfterResponse {
  const running = new Set<Promise<void>>();
  return {
    run(work) {
      const started = new Promise((resolve) => setImmediate(resolve));
      const done: Promise<void> = started
        .then(work)
        .then(() => undefined, report)
        .finally(() => running.delete(done));
      running.add(done);
    },
    async settled() {
      await Promise.all(running);
    },
  };
}
