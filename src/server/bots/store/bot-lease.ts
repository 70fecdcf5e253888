import { and, eq, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import { MINUTE, SECOND } from '#domain/clock.ts';
import { changeRows } from '#server/db/change-rows.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { bots } from '#server/db/schema/bots.ts';
import { leases } from '#server/db/schema/operations.ts';
import type { BotRow } from './bots.ts';

/** How long whoever took a bot keeps it without a sign of life, ms. */
const BOT_LEASE = 10 * SECOND;
/** The same for the process that closes candles for all. */
const LEAD_LEASE = 6 * SECOND;

/** A time that lies further ahead than this is of a clock that was set back since, ms. */
export const MOST_AHEAD = MINUTE;

/** Somebody else took the bot over: whatever was about to be written must not be. */
export class LostLease extends Error {
  constructor() {
    super('The bot belongs to another worker now.');
  }
}

/**
 * Takes those bots that nobody is at; undefined for the others, and for one that is named again. Whoever took a bot before
 * can write nothing more: the fence is raised.
 */
export async function claim(db: Db, botIds: readonly string[], owner: string, now: number): Promise<(BotRow | undefined)[]> {
  const free = db
    .select({ id: bots.id })
    .from(bots)
    .where(
      and(
        inArray(bots.id, [...botIds]),
        or(isNull(bots.leaseUntil), lt(bots.leaseUntil, new Date(now)), gt(bots.leaseUntil, new Date(now + MOST_AHEAD))),
      ),
    )
    .orderBy(bots.id)
    .for('update');
  const rows = await db
    .update(bots)
    .set({ leaseOwner: owner, leaseUntil: new Date(now + BOT_LEASE), fence: sql`${bots.fence} + 1` })
    .where(inArray(bots.id, free))
    .returning();
  const taken = new Map(rows.map((row) => [row.id, row]));
  return botIds.map((id) => {
    const row = taken.get(id);
    taken.delete(id);
    return row;
  });
}

/** A bot as one worker holds it. */
export type Held = Pick<BotRow, 'id' | 'fence'>;

/** Keeps those of these bots that are still ours until the transaction ends; undefined for the others. */
export async function hold(tx: Tx, held: readonly Held[]): Promise<(BotRow | undefined)[]> {
  const ids = held.map(({ id }) => id);
  const rows = await tx.select().from(bots).where(inArray(bots.id, ids)).orderBy(bots.id).for('update');
  const current = new Map(rows.map((row) => [row.id, row]));
  return held.map(({ id, fence }) => {
    const row = current.get(id);
    return row?.fence === fence ? row : undefined;
  });
}

/** A sign of life. The bots have to be held. */
export async function extend(tx: Tx, botIds: readonly string[], now: number): Promise<void> {
  if (botIds.length === 0) return;
  await tx
    .update(bots)
    .set({ leaseUntil: new Date(now + BOT_LEASE) })
    .where(inArray(bots.id, [...botIds]));
}

/** A bot that its worker lets go of. */
export interface Left {
  bot: Held;
  /** Something went wrong with it: a lease that has run out is a reason to look at it again soon. */
  unfinished?: boolean;
}

/** Lets go of bots; nothing where one is no longer ours. */
export async function release(db: Db, left: readonly Left[], now: number): Promise<undefined[]> {
  const runOut = new Date(now - 1);
  await db.transaction(async (tx) => {
    const held = await hold(
      tx,
      left.map(({ bot }) => bot),
    );
    const rows = left.flatMap(({ unfinished = false }, index) => {
      const row = held[index];
      return row ? { ...row, ...(unfinished ? { leaseUntil: runOut } : { leaseOwner: null, leaseUntil: null }) } : [];
    });
    await changeRows(tx, bots, { key: ['id'], set: ['leaseOwner', 'leaseUntil'], rows });
  });
  return left.map(() => undefined);
}

const LEADER = 'bot candles';

/** Takes or keeps the part of the one that closes candles. The fence of this reign, null while another process leads. */
export async function lead(db: Db, owner: string, now: number): Promise<number | null> {
  const until = new Date(now + LEAD_LEASE);
  const [row] = await db
    .insert(leases)
    .values({ name: LEADER, owner, until, fence: 1 })
    .onConflictDoUpdate({
      target: leases.name,
      set: { owner, until, fence: sql`case when ${leases.owner} = ${owner} then ${leases.fence} else ${leases.fence} + 1 end` },
      setWhere: sql`${leases.owner} = ${owner} or ${leases.until} < ${new Date(now)} or ${leases.until} > ${new Date(now + MOST_AHEAD)}`,
    })
    .returning({ fence: leases.fence });
  return row?.fence ?? null;
}

/** Gives the part away at once, for an orderly end. */
export async function abdicate(db: Db, owner: string): Promise<void> {
  await db
    .update(leases)
    .set({ until: new Date(0) })
    .where(and(eq(leases.name, LEADER), eq(leases.owner, owner)));
}
