import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, notInArray, sql } from 'drizzle-orm';
import { DAY } from '#domain/clock.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { botEquity, botTrades } from '#server/db/schema/bots.ts';
import { groupBy } from '#server/group-by.ts';

export type TradeRow = typeof botTrades.$inferSelect;

/** Reason of a trade whose position is gone, before the exchange has reported how it closed. */
export const UNEXPLAINED = 'unexplained';
/** How long the exchange may take to report that, ms. */
const EXPLAINED_WITHIN = DAY;

/** A trade as the database keeps it: quantity in BTC, money in USD, times in ms of the server's clock. */
export interface RecordedTrade {
  /** Id of the order that opened it. */
  entryId: string;
  side: 'long' | 'short';
  quantity: number;
  entryPrice: number;
  exitPrice: number | null;
  /** Net of fees and funding. */
  pnl: number;
  fees: number;
  funding: number;
  openedAt: number;
  /** Null while the trade is open. */
  closedAt: number | null;
  reason: string | null;
}

/** A trade with its user and bot, and its times on the feed's clock, ms. */
type SavedTrade = RecordedTrade & Pick<TradeRow, 'userId' | 'botId' | 'feedOpened' | 'feedClosed'>;

/** Inserts or updates trades. A trade that is already closed stays as it is, unless nothing explained its close. */
export async function saveTrades(tx: Tx, trades: readonly SavedTrade[]): Promise<void> {
  if (trades.length === 0) return;
  const rows = trades.map(({ openedAt, closedAt, ...trade }) => ({
    ...trade,
    openedAt: new Date(openedAt),
    closedAt: closedAt === null ? null : new Date(closedAt),
  }));
  const set = {
    quantity: sql`excluded.quantity`,
    entryPrice: sql`excluded.entry_price`,
    exitPrice: sql`excluded.exit_price`,
    pnl: sql`excluded.pnl`,
    fees: sql`excluded.fees`,
    funding: sql`excluded.funding`,
    reason: sql`excluded.reason`,
    closedAt: sql`excluded.closed_at`,
    feedClosed: sql`excluded.feed_closed`,
  };
  const setWhere = sql`${isNull(botTrades.closedAt)} or ${isUnexplained}`;
  await tx.insert(botTrades).values(rows).onConflictDoUpdate({ target: botTrades.entryId, set, setWhere });
}

const isUnexplained = sql`${botTrades.reason} = ${sql.raw(`'${UNEXPLAINED}'`)}`;

const isExplainable = (now: number) => and(isUnexplained, gt(botTrades.closedAt, new Date(now - EXPLAINED_WITHIN)));

/** Selects the ids of the bots whose last day has an unexplained trade. */
export const withUnexplained = (db: Db, now: number) => db.select({ id: botTrades.botId }).from(botTrades).where(isExplainable(now));

/** Returns each bot's unexplained trades of the last day. */
export async function findUnexplained(db: Db, botIds: readonly string[], now: number): Promise<TradeRow[][]> {
  const rows = await db
    .select()
    .from(botTrades)
    .where(and(inArray(botTrades.botId, [...botIds]), isExplainable(now)));
  const found = groupBy(rows, ({ botId }) => botId);
  return botIds.map((id) => found.get(id) ?? []);
}

/** Returns closed trades, newest first. */
export const findClosedTrades = (db: Db, botId: string): Promise<TradeRow[]> =>
  db
    .select()
    .from(botTrades)
    .where(and(eq(botTrades.botId, botId), isNotNull(botTrades.closedAt)))
    .orderBy(desc(botTrades.closedAt), desc(botTrades.id));

/**
 * Returns each bot's total profit in USD, net of fees and funding, without the trades of the `except` entries.
 * An open trade counts with its costs so far.
 */
export async function sumProfits(db: Db, queries: readonly { botId: string; except?: readonly string[] }[]): Promise<number[]> {
  const except = queries.flatMap((query) => query.except ?? []);
  const rows = await db
    .select({ botId: botTrades.botId, sum: sql<number>`sum(${botTrades.pnl})::float8` })
    .from(botTrades)
    .where(
      and(
        inArray(
          botTrades.botId,
          queries.map(({ botId }) => botId),
        ),
        except.length === 0 ? undefined : notInArray(botTrades.entryId, except),
      ),
    )
    .groupBy(botTrades.botId);
  const sums = new Map(rows.map(({ botId, sum }) => [botId, sum]));
  return queries.map(({ botId }) => sums.get(botId) ?? 0);
}

/** Sets points of bots' equity curves, in USD. */
export async function saveEquity(tx: Tx, points: readonly { botId: string; at: Date; equity: number }[]): Promise<void> {
  if (points.length === 0) return;
  await tx
    .insert(botEquity)
    .values([...points])
    .onConflictDoUpdate({ target: [botEquity.botId, botEquity.at], set: { equity: sql`excluded.equity` } });
}

/** Returns a bot's equity curve, oldest point first. */
export const findEquity = (db: Db, botId: string): Promise<{ at: Date; equity: number }[]> =>
  db.select({ at: botEquity.at, equity: botEquity.equity }).from(botEquity).where(eq(botEquity.botId, botId)).orderBy(asc(botEquity.at));

/** Adds `by` USD to every point of a bot's equity curve. */
export const shiftEquity = async (tx: Tx, botId: string, by: number): Promise<void> =>
  void (await tx
    .update(botEquity)
    .set({ equity: sql`${botEquity.equity} + ${by}::float8` })
    .where(eq(botEquity.botId, botId)));
