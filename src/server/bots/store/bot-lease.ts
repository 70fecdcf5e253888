import { and, eq, gt, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import { CLOCK_ROLLBACK_LIMIT, SECOND } from '#domain/clock.ts';
import { changeRows } from '#server/db/change-rows.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { bots } from '#server/db/schema/bots.ts';
import type { BotRow } from './bots.ts';

/** How long a worker keeps a bot without renewing, ms. */
const BOT_LEASE = 10 * SECOND;

/** Another worker has taken the bot, so this worker must not write to it. */
export class LostLease extends Error {
  constructor() {
    super('The bot belongs to another worker now.');
  }
}

/**
 * Leases the bots that no worker holds; undefined for all others, and for a second mention of the same bot.
 * A new lease raises the bot's fence, so that the previous worker can write nothing more.
 */
export async function claimBots(db: Db, botIds: readonly string[], owner: string, now: number): Promise<(BotRow | undefined)[]> {
  const free = db
    .select({ id: bots.id })
    .from(bots)
    .where(
      and(
        inArray(bots.id, [...botIds]),
        or(isNull(bots.leaseUntil), lt(bots.leaseUntil, new Date(now)), gt(bots.leaseUntil, new Date(now + CLOCK_ROLLBACK_LIMIT))),
      ),
    )
    .orderBy(bots.id)
    .for('no key update');
  const rows = await db
    .update(bots)
    .set({ leaseOwner: owner, leaseUntil: new Date(now + BOT_LEASE), fence: sql`${bots.fence} + 1` })
    .where(inArray(bots.id, free))
    .returning();
  const claimed = new Map(rows.map((row) => [row.id, row]));
  return botIds.map((id) => {
    const row = claimed.get(id);
    claimed.delete(id);
    return row;
  });
}

/** A bot under the lease of one worker. */
export type LeasedBot = Pick<BotRow, 'id' | 'fence'>;

/** Locks the bots whose lease is still valid until the transaction ends; undefined for the others. */
export async function lockLeased(tx: Tx, leased: readonly LeasedBot[]): Promise<(BotRow | undefined)[]> {
  const ids = leased.map(({ id }) => id);
  const rows = await tx.select().from(bots).where(inArray(bots.id, ids)).orderBy(bots.id).for('no key update');
  const current = new Map(rows.map((row) => [row.id, row]));
  return leased.map(({ id, fence }) => {
    const row = current.get(id);
    return row?.fence === fence ? row : undefined;
  });
}

/** Renews leases. Call `lockLeased` first. */
export async function renewLeases(tx: Tx, botIds: readonly string[], now: number): Promise<void> {
  if (botIds.length === 0) return;
  await tx
    .update(bots)
    .set({ leaseUntil: new Date(now + BOT_LEASE) })
    .where(inArray(bots.id, [...botIds]));
}

/** Renews the leases of workers that still run a cycle; ignores bots that another worker has taken or that are free again. */
export async function renewHeldLeases(db: Db, leased: readonly LeasedBot[], now: number): Promise<undefined[]> {
  const isHeld = leased.map(({ id, fence }) => and(eq(bots.id, id), eq(bots.fence, fence)));
  await db
    .update(bots)
    .set({ leaseUntil: new Date(now + BOT_LEASE) })
    .where(and(isNotNull(bots.leaseOwner), or(...isHeld)));
  return leased.map(() => undefined);
}

/** Ends leases; ignores bots that another worker has taken. */
export async function releaseBots(db: Db, released: readonly LeasedBot[]): Promise<undefined[]> {
  await db.transaction(async (tx) => {
    const rows = (await lockLeased(tx, released))
      .flatMap((row) => row ?? [])
      .map((row) => ({ ...row, leaseOwner: null, leaseUntil: null }));
    await changeRows(tx, bots, { key: ['id'], set: ['leaseOwner', 'leaseUntil'], rows });
  });
  return released.map(() => undefined);
}
