import { and, asc, desc, eq, inArray, notInArray, sql } from 'drizzle-orm';
import type { Db, Tx } from '#server/db/open.ts';
import { botEquity, botEvents, type botOrders, bots, botTrades } from '#server/db/schema/bots.ts';
import { operatorSwitches } from '#server/db/schema/operations.ts';

export type BotRow = typeof bots.$inferSelect;
export type OrderRow = typeof botOrders.$inferSelect;
export type TradeRow = typeof botTrades.$inferSelect;
export type EventRow = typeof botEvents.$inferSelect;
export type NewEvent = Pick<EventRow, 'actor' | 'kind' | 'text'> & { key?: string };

/** Rows that a report shows. */
const SHOWN = 200;

/** Oldest first. */
export const findBots = (db: Db, userId: string): Promise<BotRow[]> =>
  db.select().from(bots).where(eq(bots.userId, userId)).orderBy(asc(bots.createdAt), asc(bots.id));

export async function findBot(db: Db, userId: string, id: string): Promise<BotRow | undefined> {
  const [row] = await db
    .select()
    .from(bots)
    .where(and(eq(bots.id, id), eq(bots.userId, userId)));
  return row;
}

/** The same, and nobody else changes it until the transaction ends. */
export async function lockBot(tx: Tx, userId: string, id: string): Promise<BotRow | undefined> {
  const [row] = await tx
    .select()
    .from(bots)
    .where(and(eq(bots.id, id), eq(bots.userId, userId)))
    .for('update');
  return row;
}

export async function insertBot(tx: Tx, row: typeof bots.$inferInsert): Promise<BotRow> {
  const [inserted] = await tx.insert(bots).values(row).returning();
  return inserted as BotRow;
}

export async function updateBot(db: Db, id: string, set: Partial<BotRow>): Promise<BotRow> {
  const [updated] = await db.update(bots).set(set).where(eq(bots.id, id)).returning();
  return updated as BotRow;
}

export const deleteBot = async (db: Db, id: string): Promise<void> => void (await db.delete(bots).where(eq(bots.id, id)));

/**
 * Whether a bot of any user trades on this account already, which each held key names differently. Until the transaction
 * ends, no other transaction is told that the account is free.
 */
export async function isInUse(tx: Tx, keyDigests: readonly string[]): Promise<boolean> {
  for (const digest of [...keyDigests].sort()) await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${digest}, 0))`);
  return (await tx.$count(bots, inArray(bots.keyDigest, [...keyDigests]))) > 0;
}

/** An event of a bot's journal, and when it is dated, ms. */
export interface DatedEvent {
  botId: string;
  event: NewEvent;
  at: number;
}

/** Adds to bots' journals; one whose key is there already is left out. True for those that were added. */
export async function addEvents(tx: Db, events: readonly DatedEvent[]): Promise<boolean[]> {
  if (events.length === 0) return [];
  const rows = events.map(({ botId, event: { actor, kind, text, key }, at }) => ({
    botId,
    actor,
    kind,
    text,
    key,
    createdAt: new Date(at),
  }));
  const added = await tx.insert(botEvents).values(rows).onConflictDoNothing().returning({ botId: botEvents.botId, key: botEvents.key });
  const nameOf = (botId: string, key: string) => `${botId} ${key}`;
  const names = new Set(added.map(({ botId, key }) => nameOf(botId, key ?? '')));
  return events.map(({ botId, event: { key } }) => key === undefined || names.has(nameOf(botId, key)));
}

/** The same with one. */
export const addEvent = async (tx: Db, botId: string, event: NewEvent, at: number): Promise<boolean> =>
  (await addEvents(tx, [{ botId, event, at }]))[0] === true;

/** Newest first. */
export const findEvents = (db: Db, botId: string): Promise<EventRow[]> =>
  db.select().from(botEvents).where(eq(botEvents.botId, botId)).orderBy(desc(botEvents.createdAt), desc(botEvents.id)).limit(SHOWN);

/** Those that are over, newest first. */
export const findClosedTrades = (db: Db, botId: string): Promise<TradeRow[]> =>
  db
    .select()
    .from(botTrades)
    .where(and(eq(botTrades.botId, botId), sql`${botTrades.closedAt} is not null`))
    .orderBy(desc(botTrades.closedAt), desc(botTrades.id));

/** Oldest first. */
export const findEquity = (db: Db, botId: string): Promise<{ at: Date; equity: number }[]> =>
  db.select({ at: botEquity.at, equity: botEquity.equity }).from(botEquity).where(eq(botEquity.botId, botId)).orderBy(asc(botEquity.at));

/** Moves a bot's whole curve, USD. */
export const shiftEquity = async (tx: Tx, botId: string, by: number): Promise<void> =>
  void (await tx
    .update(botEquity)
    .set({ equity: sql`${botEquity.equity} + ${by}::float8` })
    .where(eq(botEquity.botId, botId)));

/** USD that all trades of each bot but those of these entries brought, fees and funding taken off; of an open one what it cost so far. */
export async function earned(db: Db, asked: readonly { botId: string; but?: readonly string[] }[]): Promise<number[]> {
  const but = asked.flatMap((one) => one.but ?? []);
  const rows = await db
    .select({ botId: botTrades.botId, sum: sql<number>`sum(${botTrades.pnl})::float8` })
    .from(botTrades)
    .where(
      and(
        inArray(
          botTrades.botId,
          asked.map(({ botId }) => botId),
        ),
        but.length === 0 ? undefined : notInArray(botTrades.entryId, but),
      ),
    )
    .groupBy(botTrades.botId);
  const sums = new Map(rows.map(({ botId, sum }) => [botId, sum]));
  return asked.map(({ botId }) => sums.get(botId) ?? 0);
}

export const SHOWN_TRADES = SHOWN;

/** The name of the operator's halt: of all bots, or of one user's. */
export const haltName = (userId?: string): string => (userId === undefined ? 'halt' : `halt:${userId}`);

/** Why an operator keeps these users' bots from opening anything; null where none does. */
export async function haltReasons(db: Db, userIds: readonly string[]): Promise<(string | null)[]> {
  const names = [haltName(), ...new Set(userIds.map(haltName))];
  const rows = await db.select().from(operatorSwitches).where(inArray(operatorSwitches.name, names));
  const reasons = new Map(rows.map(({ name, reason }) => [name, reason]));
  return userIds.map((userId) => reasons.get(haltName()) ?? reasons.get(haltName(userId)) ?? null);
}

/** The same of one user. */
export const haltReason = async (db: Db, userId: string): Promise<string | null> => (await haltReasons(db, [userId]))[0] ?? null;

/** Why an operator keeps all bots from opening anything; null where none does. */
export async function haltReasonOfAll(db: Db): Promise<string | null> {
  const [row] = await db.select({ reason: operatorSwitches.reason }).from(operatorSwitches).where(eq(operatorSwitches.name, haltName()));
  return row?.reason ?? null;
}
