import { and, count, desc, eq, gte, inArray, max, ne, or, sql } from 'drizzle-orm';
import { changeRows } from '#server/db/change-rows.ts';
import type { Db } from '#server/db/open.ts';
import { botOrders } from '#server/db/schema/bots.ts';
import { groupBy } from '#server/group-by.ts';
import { type LeasedBot, LostLease, lockLeased, renewLeases } from './bot-lease.ts';
import type { BotRow } from './bots.ts';
import { uuidv5 } from './uuid.ts';

export type OrderRow = typeof botOrders.$inferSelect;

/** A smaller missing quantity is floating-point noise, BTC. */
const QUANTITY_NOISE = 1e-9;

/** An order that the bot is about to place. */
export interface Intent {
  purpose: 'entry' | 'close';
  /** What the order is for: the same intent always has the same key. */
  key: string;
  /** Opening time of the candle that caused it, ms of the feed's time; null if a user asked for it. */
  candle: number | null;
  direction: 'buy' | 'sell';
  /** BTC. */
  quantity: number;
  /** USD. */
  stop?: number;
  target?: number;
  /** The reason that the trade shows. */
  reason?: string;
}

/** Returns an intent's client order id, the idempotency key at the exchange: 36 characters. */
const clientIdOf = (botId: string, { purpose, key }: Pick<Intent, 'purpose' | 'key'>): string => uuidv5(`${purpose}:${key}`, botId);

/** Returns each bot's orders that may be unsent, on their way or resting at the exchange. */
export async function findPendingOrders(db: Db, botIds: readonly string[]): Promise<OrderRow[][]> {
  const rows = await db
    .select()
    .from(botOrders)
    .where(and(inArray(botOrders.botId, [...botIds]), inArray(botOrders.state, ['intended', 'accepted'])));
  const found = groupBy(rows, ({ botId }) => botId);
  return botIds.map((id) => found.get(id) ?? []);
}

export interface OrderQuery {
  botId: string;
  clientIds: readonly string[];
}

/** Returns the orders of each query that belong to its bot. */
export async function findOrders(db: Db, queries: readonly OrderQuery[]): Promise<OrderRow[][]> {
  const clientIds = queries.flatMap((query) => query.clientIds);
  const rows = clientIds.length === 0 ? [] : await db.select().from(botOrders).where(inArray(botOrders.clientId, clientIds));
  const found = new Map(rows.map((row) => [row.clientId, row]));
  return queries.map((query) =>
    query.clientIds.flatMap((clientId) => {
      const row = found.get(clientId);
      return row?.botId === query.botId ? row : [];
    }),
  );
}

/** Returns each bot's latest entry order that was neither canceled nor rejected. */
export async function findLastEntries(db: Db, botIds: readonly string[]): Promise<(OrderRow | undefined)[]> {
  const { botId, purpose, state, createdAt } = botOrders;
  const rows = await db
    .selectDistinctOn([botId])
    .from(botOrders)
    .where(and(inArray(botId, [...botIds]), eq(purpose, 'entry'), inArray(state, ['intended', 'accepted', 'filled'])))
    .orderBy(botId, desc(createdAt));
  const found = new Map(rows.map((row) => [row.botId, row]));
  return botIds.map((id) => found.get(id));
}

/** Returns when an order of each bot last changed, ms; undefined without orders. */
export async function findLastOrderDates(db: Db, botIds: readonly string[]): Promise<(number | undefined)[]> {
  const { botId, updatedAt } = botOrders;
  const rows = await db
    .select({ botId, at: max(updatedAt) })
    .from(botOrders)
    .where(inArray(botId, [...botIds]))
    .groupBy(botId);
  const found = new Map(rows.map((row) => [row.botId, row.at?.getTime()]));
  return botIds.map((id) => found.get(id));
}

export interface CandleQuery {
  botId: string;
  candle: number;
}

/** Returns the state of the order that each bot placed for a candle; undefined if it placed none. */
export async function findCandleOrders(db: Db, queries: readonly CandleQuery[]): Promise<(Pick<OrderRow, 'state'> | undefined)[]> {
  const { botId, candle, state } = botOrders;
  const rows = await db
    .select({ botId, candle, state })
    .from(botOrders)
    .where(
      and(
        inArray(
          botId,
          queries.map((query) => query.botId),
        ),
        inArray(candle, [...new Set(queries.map((query) => query.candle))]),
        ne(state, 'cancelled'),
      ),
    );
  const found = groupBy(rows, (row) => row.botId);
  return queries.map((query) => found.get(query.botId)?.find((row) => row.candle === query.candle));
}

/** Counts each bot's close orders that did not close everything. The count is part of the next close order's key. */
export async function countFailedCloses(db: Db, botIds: readonly string[]): Promise<number[]> {
  const { botId, purpose, state, filled, quantity } = botOrders;
  const isPartial = and(eq(state, 'filled'), sql`${filled} < ${quantity} - ${QUANTITY_NOISE}::float8`);
  const rows = await db
    .select({ botId, failed: count() })
    .from(botOrders)
    .where(and(inArray(botId, [...botIds]), eq(purpose, 'close'), or(inArray(state, ['cancelled', 'rejected']), isPartial)))
    .groupBy(botId);
  const found = new Map(rows.map((row) => [row.botId, row.failed]));
  return botIds.map((id) => found.get(id) ?? 0);
}

/** Returns the candle of each entry order of a bot from `since` on (ms of the feed's time), by the order's id. */
export async function findEntryCandles(db: Db, botId: string, since: number): Promise<Map<string, number>> {
  const { clientId, candle, purpose } = botOrders;
  const rows = await db
    .select({ clientId, candle })
    .from(botOrders)
    .where(and(eq(botOrders.botId, botId), eq(purpose, 'entry'), gte(candle, since)));
  return new Map(rows.map((row) => [row.clientId, row.candle as number]));
}

export interface NewIntent {
  bot: LeasedBot;
  intent: Intent;
}

/** The user gave a command during the cycle, after which its order must not be sent. The next cycle follows the command. */
export class Superseded extends Error {
  constructor() {
    super("The user's command came before the order.");
  }
}

/** Whether the user's last command still allows an order. `bot` is locked, so a later command waits for the order's record. */
function isAllowed({ status, pausedBy, closing, stopMode }: BotRow, { purpose, reason }: Intent): boolean {
  if (purpose === 'entry') return status === 'RUNNING' && pausedBy !== 'user';
  return reason === 'on request' ? closing !== null : reason !== 'stopped' || stopMode !== 'keep';
}

/**
 * Records intents and renews the bots' leases, in one transaction. An intent that exists already keeps its row, which is returned.
 * Returns `LostLease` for a bot that another worker has taken, and `Superseded` for an order that its user no longer wants.
 */
export async function recordIntents(db: Db, intents: readonly NewIntent[], now: number): Promise<(OrderRow | LostLease | Superseded)[]> {
  const at = new Date(now);
  return db.transaction(async (tx) => {
    const locked = await lockLeased(
      tx,
      intents.map(({ bot }) => bot),
    );
    const refusals = intents.map(({ intent }, index) => {
      const bot = locked[index];
      if (!bot) return new LostLease();
      return isAllowed(bot, intent) ? undefined : new Superseded();
    });
    const owned = intents.filter((_, index) => !refusals[index]);
    const rows = owned.map(({ bot, intent }) => ({ ...toRow(bot, intent), createdAt: at, updatedAt: at }));
    if (rows.length > 0) await tx.insert(botOrders).values(rows).onConflictDoNothing();
    await renewLeases(
      tx,
      owned.map(({ bot }) => bot.id),
      now,
    );
    const recorded = await findOrders(
      tx,
      intents.map(({ bot, intent }) => ({ botId: bot.id, clientIds: [clientIdOf(bot.id, intent)] })),
    );
    return recorded.map((found, index) => refusals[index] ?? found[0] ?? new LostLease());
  });
}

const toRow = (bot: LeasedBot, intent: Intent) => {
  const { purpose, candle, direction, quantity, stop = null, target = null, reason = null } = intent;
  const columns = { purpose, candle, direction, quantity, stop, target, reason };
  return { clientId: clientIdOf(bot.id, intent), botId: bot.id, ...columns, state: 'intended' as const, fence: bot.fence };
};

/** The new state of an order. */
export interface Outcome {
  bot: LeasedBot;
  row: OrderRow;
  set: Partial<Pick<OrderRow, 'state' | 'exchangeId' | 'price' | 'filled' | 'reason'>>;
}

/** Records outcomes in one transaction. Returns `LostLease` for a bot that another worker has taken. */
export async function recordOutcomes(db: Db, outcomes: readonly Outcome[], now: number): Promise<(OrderRow | LostLease)[]> {
  const updatedAt = new Date(now);
  return db.transaction(async (tx) => {
    const locked = await lockLeased(
      tx,
      outcomes.map(({ bot }) => bot),
    );
    const rows = outcomes.map(({ row, set }) => ({ ...row, ...set, updatedAt }));
    await changeRows(tx, botOrders, {
      key: ['clientId'],
      set: ['state', 'exchangeId', 'price', 'filled', 'reason', 'updatedAt'],
      rows: rows.filter((_, index) => locked[index]),
    });
    return rows.map((row, index) => (locked[index] ? row : new LostLease()));
  });
}
