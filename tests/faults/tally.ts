/** Counts acknowledged writes and reports when a goal is reached. */
export interface Tally {
  readonly count: number;
  add(): void;
  /** Resolves once the count is at least `goal`. */
  reached(goal: number): Promise<void>;
}

export function createTally(): Tally {
  let count = 0;
  const waiting: { goal: number; resolve: () => void }[] = [];
  return {
    get count() {
      return count;
    },
    add() {
      count += 1;
      for (const { goal, resolve } of waiting) if (count >= goal) resolve();
    },
    reached: (goal) => (count >= goal ? Promise.resolve() : new Promise((resolve) => waiting.push({ goal, resolve }))),
  };
}
