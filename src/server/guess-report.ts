import { and, desc, eq, like, sql } from 'drizzle-orm';
import { DAY } from '../domain/clock.ts';
import { createBudgets } from './budgets.ts';
import type { Db } from './db/open.ts';
import { budgets } from './db/schema/requests.ts';
import { type CountClock, timeOf, windowEnd } from './db/windows.ts';
import { GUESS_KINDS, GUESS_LIMITS, type GuessKind, guessUses } from './guess-limits.ts';

const MAX_NETWORKS = 10;

interface KindReport {
  /** Wrong guesses in this hour and day (UTC), and the service's budget for the day. */
  this_hour: number;
  today: number;
  budget: number;
  /** 'half': networks that guessed wrong are refused. 'yes': all networks are. */
  spent: 'no' | 'half' | 'yes';
}

/** Returns the counts of wrong codes and passwords, and today's most active networks. */
export async function reportGuesses(db: Db, clock: CountClock) {
  const { used } = createBudgets({ db, clock });
  const kinds = {} as Record<GuessKind, KindReport>;
  for (const kind of GUESS_KINDS) {
    const { service } = GUESS_LIMITS[kind];
    const [day, hour] = guessUses.service(kind);
    const [today, this_hour] = [await used(day.key, day.span), await used(hour.key, hour.span)];
    kinds[kind] = { this_hour, today, budget: 2 * service, spent: today < service ? 'no' : today < 2 * service ? 'half' : 'yes' };
  }
  const network = sql<string>`split_part(${budgets.key}, ' ', 3)`;
  const wrong = sql<number>`sum(${budgets.used})::int`;
  const networks = await db
    .select({ network, wrong })
    .from(budgets)
    .where(and(like(budgets.key, 'wrong %'), sql`${budgets.key} ~ '/(24|48)$'`, eq(budgets.endsAt, windowEnd(timeOf(clock), DAY))))
    .groupBy(network)
    .orderBy(desc(wrong))
    .limit(MAX_NETWORKS);
  return { wrong_guesses: kinds, most_active_networks: networks.filter((row) => row.wrong > 0) };
}
