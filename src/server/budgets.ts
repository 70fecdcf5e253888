import { eq, sql } from 'drizzle-orm';
import type { Clock } from '../domain/clock.ts';
import type { Db } from './db/open.ts';
import { budgets } from './db/schema/requests.ts';

/** At most `max` uses of a key in a window of `span` ms; windows begin at multiples of `span` since 1970. */
export interface Budget {
  max: number;
  span: number;
}

/** A key that is counted, and the length of its windows in ms. */
export type Use = Pick<Budget, 'span'> & { key: string };

export interface Budgets {
  /** Counts `amount` uses of `key`, and says whether the budget covers all uses so far. Refused uses count too. */
  take(key: string, budget: Budget, amount?: number): Promise<boolean>;
  /**
   * Counts one use of each key (all different), and returns the uses so far in the same order. Rows are locked in that
   * order: callers that share several keys name them in the same one.
   */
  count(uses: readonly Use[]): Promise<number[]>;
  /** Takes back one use of each key, if it was counted in the window that is current. */
  giveBack(uses: readonly Use[]): Promise<void>;
  /** Runs several of these calls in one transaction, which costs the embedded database one write to the disk. */
  together<T>(run: (budgets: Budgets) => Promise<T>): Promise<T>;
  /** Whether at least one more use of `key` is covered. Counts nothing. */
  hasLeft(key: string, budget: Budget): Promise<boolean>;
  /** Uses of `key` in its current window. */
  used(key: string, span: number): Promise<number>;
}

/**
 * Budgets kept in the database, so that all processes share them and a restart forgets nothing. Call them outside of a
 * transaction that may roll back: a use must count although the request is refused.
 */
export function createBudgets({ db, clock }: { db: Db; clock: Clock }): Budgets {
  const endOf = (span: number): Date => new Date((Math.floor(clock() / span) + 1) * span);

  async function used(key: string, span: number): Promise<number> {
    const [row] = await db.select().from(budgets).where(eq(budgets.key, key));
    return row?.endsAt.getTime() === endOf(span).getTime() ? row.used : 0;
  }

  async function add(uses: readonly Use[], amount: number): Promise<number[]> {
    const rows = await db
      .insert(budgets)
      .values(uses.map(({ key, span }) => ({ key, used: amount, endsAt: endOf(span) })))
      .onConflictDoUpdate({
        target: budgets.key,
        set: {
          used: sql`case when ${budgets.endsAt} = excluded.ends_at then least(${budgets.used} + excluded.used, 1000000000) else greatest(excluded.used, 0) end`,
          endsAt: sql`excluded.ends_at`,
        },
      })
      .returning({ key: budgets.key, used: budgets.used });
    const counted = new Map(rows.map((row) => [row.key, row.used]));
    return uses.map(({ key }) => counted.get(key) ?? 0);
  }

  return {
    used,
    count: (uses) => add(uses, 1),
    together: (run) => db.transaction((tx) => run(createBudgets({ db: tx, clock }))),
    giveBack: async (uses) => void (await add(uses, -1)),

    async take(key, { max, span }, amount = 1) {
      const [counted = 0] = await add([{ key, span }], amount);
      return counted <= max;
    },

    hasLeft: async (key, { max, span }) => (await used(key, span)) < max,
  };
}
