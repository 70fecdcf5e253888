import { eq, sql } from 'drizzle-orm';
import type { Clock } from '../domain/clock';
import type { Db } from './db/open';
import { budgets } from './db/schema';

/** At most `max` uses of a key in a window of `span` ms; windows begin at multiples of `span` since 1970. */
export interface Budget {
  max: number;
  span: number;
}

export interface Budgets {
  /** Counts `amount` uses of `key`, and says whether the budget covers all uses so far. Refused uses count too. */
  take(key: string, budget: Budget, amount?: number): Promise<boolean>;
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

  return {
    used,

    async take(key, { max, span }, amount = 1) {
      const endsAt = endOf(span);
      const [row] = await db
        .insert(budgets)
        .values({ key, used: amount, endsAt })
        .onConflictDoUpdate({
          target: budgets.key,
          set: {
            used: sql`case when ${budgets.endsAt} = excluded.ends_at then least(${budgets.used} + excluded.used, 1000000000) else excluded.used end`,
            endsAt: sql`excluded.ends_at`,
          },
        })
        .returning({ used: budgets.used });
      return (row?.used ?? 0) <= max;
    },

    hasLeft: async (key, { max, span }) => (await used(key, span)) < max,
  };
}
