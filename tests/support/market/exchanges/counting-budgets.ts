import type { Budgets } from '#server/budgets.ts';

/** Budgets in memory, of one window that never ends. */
export function countingBudgets(): Budgets & { readonly counts: Map<string, number> } {
  const counts = new Map<string, number>();
  const used = (key: string) => counts.get(key) ?? 0;
  const budgets: Budgets & { readonly counts: Map<string, number> } = {
    counts,
    async take(key, { max }, amount = 1) {
      counts.set(key, used(key) + amount);
      return used(key) <= max;
    },
    async reserve(key, { max }, amount) {
      if (used(key) + amount > max) return undefined;
      counts.set(key, used(key) + amount);
      return new Date(0);
    },
    correct: async (key, _endsAt, change) => void counts.set(key, used(key) + change),
    count: (uses) => Promise.all(uses.map(({ key }) => budgets.take(key, { max: 0, span: 0 }).then(() => used(key)))),
    giveBack: async () => undefined,
    together: (run) => run(budgets),
    hasLeft: async (key, { max }) => used(key) < max,
    used: async (key) => used(key),
  };
  return budgets;
}

/** Budgets that cover every call, for tests that count the calls themselves. */
export const neverSpent: Budgets = { ...countingBudgets(), take: async () => true };
