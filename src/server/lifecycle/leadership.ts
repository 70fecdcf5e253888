import { randomUUID } from 'node:crypto';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { CLOCK_ROLLBACK_LIMIT } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { leases } from '#server/db/schema/operations.ts';

interface Candidate {
  /** Name of the leader's row in `leases`. */
  name: string;
  /** Names this process. */
  owner: string;
}

interface Term extends Candidate {
  /** How long a leader leads without renewing, ms. */
  lease: number;
  /** The current time; by default on the database's clock, which all processes share. */
  now?: SQL;
}

const after = (now: SQL, span: number): SQL => sql`${now} + ${span}::float8 * interval '1 millisecond'`;

/** Takes or renews a leader's lease. Returns its fence, which each new leader raises; null while another process leads. */
export async function lead(db: Db, { name, owner, lease, now = sql`clock_timestamp()` }: Term): Promise<number | null> {
  const until = after(now, lease);
  const isExpired = sql`${leases.until} < ${now} or ${leases.until} > ${after(now, CLOCK_ROLLBACK_LIMIT)}`;
  const [row] = await db
    .insert(leases)
    .values({ name, owner, until, fence: 1 })
    .onConflictDoUpdate({
      target: leases.name,
      set: { owner, until, fence: sql`case when ${leases.owner} = ${owner} then ${leases.fence} else ${leases.fence} + 1 end` },
      setWhere: sql`${leases.owner} = ${owner} or ${isExpired}`,
    })
    .returning({ fence: leases.fence });
  return row?.fence ?? null;
}

/** Ends the leader's lease, so that another process can lead at once. */
export async function resign(db: Db, { name, owner }: Candidate): Promise<void> {
  await db
    .update(leases)
    .set({ until: new Date(0) })
    .where(and(eq(leases.name, name), eq(leases.owner, owner)));
}

/**
 * Creates a process's wish to lead.
 * @param lease how long a leader leads without calling `lead` again, ms
 */
export function createLeadership(db: Db, { name, lease }: { name: string; lease: number }) {
  const candidate = { name, owner: randomUUID() };
  return {
    /** Takes or keeps the lead. Returns false while another process leads. */
    lead: async () => (await lead(db, { ...candidate, lease })) !== null,
    resign: (): Promise<void> => resign(db, candidate),
  };
}
