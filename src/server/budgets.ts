import { and, eq, sql } from 'drizzle-orm';
import type { Db } from './db/open.ts';
import { budgets } from './db/schema/requests.ts';
import { type CountClock, timeOf, windowEnd } from './db/windows.ts';

/** At most `max` uses of a key in a window of `span` ms. Windows start at multiples of `span` since 1970. */
export interface Budget {
  max: number;
  span: number;
}

/** Uses that are counted at most, below what the column can hold. */
const MOST_USES = 1_000_000_000;

/** A counted key and the length of its windows, ms. */
export type Use = Pick<Budget, 'span'> & { key: string };

export interface Budgets {
  /** Counts `amount` uses of `key`. Returns whether the budget covers all uses so far; refused uses count too. */
  take(key: string, budget: Budget, amount?: number): Promise<boolean>;
  /** Counts `amount` uses only if the budget covers them all. Returns when the window ends; undefined where it does not. */
  reserve(key: string, budget: Budget, amount: number): Promise<Date | undefined>;
  /** Changes by `change` what was reserved in the window with this end, if it is still the key's last one. */
  correct(key: string, endsAt: Date, change: number): Promise<void>;
  /** Counts one use of each key and returns the totals. Rows are locked in the given order: to avoid deadlocks, callers use one order. */
  count(uses: readonly Use[]): Promise<number[]>;
  /** Takes back one use of each key, if it was counted in the current window. */
  giveBack(uses: readonly Use[]): Promise<void>;
  /** Runs several of these calls in one transaction, which is one disk write. */
  together<T>(run: (budgets: Budgets) => Promise<T>): Promise<T>;
  /** Returns whether one more use of `key` is covered, without counting it. */
  hasLeft(key: string, budget: Budget): Promise<boolean>;
  /** Returns the uses of `key` in its current window. */
  used(key: string, span: number): Promise<number>;
}

interface Parts {
  db: Db;
  clock: CountClock;
}

/** Counts uses in the database, shared by all processes. Call it outside a transaction that may roll back: refused uses must count. */
export function createBudgets({ db, clock }: Parts): Budgets {
  const endOf = (span: number) => windowEnd(timeOf(clock), span);

  async function used(key: string, span: number): Promise<number> {
    const [row] = await db
      .select({ used: budgets.used })
      .from(budgets)
      .where(and(eq(budgets.key, key), eq(budgets.endsAt, endOf(span))));
    return row?.used ?? 0;
  }

  async function add(uses: readonly Use[], amount: number): Promise<number[]> {
    const rows = await db
      .insert(budgets)
      .values(uses.map(({ key, span }) => ({ key, used: amount, endsAt: endOf(span) })))
      .onConflictDoUpdate({
        target: budgets.key,
        set: {
          used: sql`case when ${budgets.endsAt} = excluded.ends_at then least(${budgets.used} + excluded.used, ${MOST_USES}) else greatest(excluded.used, 0) end`,
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

    async reserve(key, { max, span }, amount) {
      if (amount > max) return undefined;
      const isCurrent = sql`${budgets.endsAt} = excluded.ends_at`;
      const [row] = await db
        .insert(budgets)
        .values({ key, used: amount, endsAt: endOf(span) })
        .onConflictDoUpdate({
          target: budgets.key,
          set: {
            used: sql`case when ${isCurrent} then ${budgets.used} + excluded.used else excluded.used end`,
            endsAt: sql`excluded.ends_at`,
          },
          setWhere: sql`not ${isCurrent} or ${budgets.used} + excluded.used <= ${max}`,
        })
        .returning({ endsAt: budgets.endsAt });
      return row?.endsAt;
    },

    async correct(key, endsAt, change) {
      await db
        .update(budgets)
        .set({ used: sql`least(greatest(${budgets.used} + ${change}, 0), ${MOST_USES})` })
        .where(and(eq(budgets.key, key), eq(budgets.endsAt, endsAt)));
    },

    hasLeft: async (key, { max, span }) => (await used(key, span)) < max,
  };
}
