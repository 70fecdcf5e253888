import { and, eq, sql } from 'drizzle-orm';
import { SECOND } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { leases } from '#server/db/schema/operations.ts';
import { CLOCK_ROLLBACK_LIMIT } from '../store/bot-lease.ts';

/** How long a leader leads without renewing, ms. */
const LEADER_LEASE = 6 * SECOND;
/** Name of the leader's row in `leases`. */
const LEADER = 'bot candles';

/** Takes or renews the leader's lease. Returns its fence, which each new leader raises; null while another process leads. */
export async function lead(db: Db, owner: string, now: number): Promise<number | null> {
  const until = new Date(now + LEADER_LEASE);
  const isExpired = sql`${leases.until} < ${new Date(now)} or ${leases.until} > ${new Date(now + CLOCK_ROLLBACK_LIMIT)}`;
  const [row] = await db
    .insert(leases)
    .values({ name: LEADER, owner, until, fence: 1 })
    .onConflictDoUpdate({
      target: leases.name,
      set: { owner, until, fence: sql`case when ${leases.owner} = ${owner} then ${leases.fence} else ${leases.fence} + 1 end` },
      setWhere: sql`${leases.owner} = ${owner} or ${isExpired}`,
    })
    .returning({ fence: leases.fence });
  return row?.fence ?? null;
}

/** Ends the leader's lease, so that another process can lead at once. */
export async function resign(db: Db, owner: string): Promise<void> {
  await db
    .update(leases)
    .set({ until: new Date(0) })
    .where(and(eq(leases.name, LEADER), eq(leases.owner, owner)));
}
