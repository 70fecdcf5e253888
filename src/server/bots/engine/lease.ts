import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import { SECOND } from '../../../domain/clock';
import type { Db, Tx } from '../../db/open';
import { bots, leases } from '../../db/schema';
import type { BotRow } from '../store';

/** How long whoever took a bot keeps it without a sign of life, ms. */
const BOT_LEASE = 10 * SECOND;
/** The same for the process that closes candles for all. */
const LEAD_LEASE = 6 * SECOND;

/** Somebody else took the bot over: whatever was about to be written must not be. */
export class LostLease extends Error {
  constructor() {
    super('The bot belongs to another worker now.');
  }
}

/** Takes a bot that nobody is at. Whoever took it before can write nothing more: the fence is raised. */
export async function claim(db: Db, botId: string, owner: string, now: number): Promise<BotRow | undefined> {
  const [row] = await db
    .update(bots)
    .set({ leaseOwner: owner, leaseUntil: new Date(now + BOT_LEASE), fence: sql`${bots.fence} + 1` })
    .where(and(eq(bots.id, botId), or(isNull(bots.leaseUntil), lt(bots.leaseUntil, new Date(now)))))
    .returning();
  return row;
}

/** Makes sure in a transaction that the bot is still ours, and keeps it so until the end. Throws `LostLease`. */
export async function hold(tx: Tx, { id, fence }: Pick<BotRow, 'id' | 'fence'>, now: number): Promise<BotRow> {
  const [row] = await tx
    .update(bots)
    .set({ leaseUntil: new Date(now + BOT_LEASE) })
    .where(and(eq(bots.id, id), eq(bots.fence, fence)))
    .returning();
  if (!row) throw new LostLease();
  return row;
}

/** Lets go of a bot; nothing where it is no longer ours. */
export const release = (db: Db, bot: Pick<BotRow, 'id' | 'fence'>): Promise<void> => letGo(db, bot, { leaseOwner: null, leaseUntil: null });

/** Lets go of a bot with which something went wrong: a lease that has run out is a reason to look at it again soon. */
export const leaveUnfinished = (db: Db, bot: Pick<BotRow, 'id' | 'fence'>, now: number): Promise<void> =>
  letGo(db, bot, { leaseUntil: new Date(now - 1) });

async function letGo(db: Db, { id, fence }: Pick<BotRow, 'id' | 'fence'>, set: Partial<BotRow>): Promise<void> {
  await db
    .update(bots)
    .set(set)
    .where(and(eq(bots.id, id), eq(bots.fence, fence)));
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
      setWhere: sql`${leases.owner} = ${owner} or ${leases.until} < ${new Date(now)}`,
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
