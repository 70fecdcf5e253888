/** Work that an answer does not wait for, begun once the answer is out: nobody can time it. */
export interface Errands {
  run(work: () => Promise<unknown>): void;
  /** Resolves when none is left. */
  settled(): Promise<void>;
}

/** Hands what fails to `report`. */
export function createErrands(report: (error: unknown) => void): Errands {
  const underway = new Set<Promise<void>>();
  return {
    run(work) {
      const begun = new Promise((resolve) => setImmediate(resolve));
      const done: Promise<void> = begun
        .then(work)
        .then(() => undefined, report)
        .finally(() => underway.delete(done));
      underway.add(done);
    },
    async settled() {
      await Promise.all(underway);
    },
  };
}
