import { and, asc, desc, eq, gte, isNotNull, isNull, or } from 'drizzle-orm';
import type { BotTradesQuery, TradeColumn } from '#contract/bots/trade-history.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { botTrades, deletedBots } from '#server/db/schema/bots.ts';
import type { BotRow } from './bots.ts';
import type { TradeRow } from './trades.ts';

export type DeletedBotRow = typeof deletedBots.$inferSelect;

/** Deleted bots in one list. */
const MAX_LISTED = 200;

const COLUMNS = {
  closed_at: botTrades.closedAt,
  side: botTrades.side,
  quantity: botTrades.quantity,
  entry_price: botTrades.entryPrice,
  exit_price: botTrades.exitPrice,
  pnl: botTrades.pnl,
  fees: botTrades.fees,
  funding: botTrades.funding,
  reason: botTrades.reason,
  opened_at: botTrades.openedAt,
} satisfies Record<TradeColumn, unknown>;

interface OfBot {
  userId: string;
  botId: string;
}

const closedTrades = ({ userId, botId }: OfBot) =>
  and(eq(botTrades.userId, userId), eq(botTrades.botId, botId), isNotNull(botTrades.closedAt));

/** Returns a part of a bot's closed trades. Trades with the same value are in the order of their ids. */
export function findTradePage(
  db: Db,
  of: OfBot,
  { sort, order, offset, limit }: Pick<BotTradesQuery, 'sort' | 'order' | 'offset'> & { limit: number },
): Promise<TradeRow[]> {
  const by = order === 'asc' ? asc : desc;
  return db.select().from(botTrades).where(closedTrades(of)).orderBy(by(COLUMNS[sort]), by(botTrades.id)).limit(limit).offset(offset);
}

interface Recent {
  /** ms of the feed's time. */
  since: number;
  /** When the feed began, ms: trades that opened on another feed before are left out. Null for the first feed. */
  began: number | null;
  limit: number;
}

/** Returns trades that were open at or after `since`, oldest first. Trades without times of the feed are left out. */
export async function findTradesSince(db: Db, { userId, botId }: OfBot, { since, began, limit }: Recent): Promise<TradeRow[]> {
  const { feedOpened, feedClosed, openedAt } = botTrades;
  const isRecent = and(isNotNull(feedOpened), or(isNull(feedClosed), gte(feedClosed, since)));
  const isOfFeed = began === null ? undefined : gte(openedAt, new Date(began));
  const ofBot = and(eq(botTrades.userId, userId), eq(botTrades.botId, botId));
  const newest = await db
    .select()
    .from(botTrades)
    .where(and(ofBot, isRecent, isOfFeed))
    .orderBy(desc(feedOpened))
    .limit(limit);
  return newest.reverse();
}

export const countTrades = (db: Db, of: OfBot): Promise<number> => db.$count(botTrades, closedTrades(of));

/** Returns the profit and the end of each closed trade, oldest first. */
export async function findProfits(db: Db, of: OfBot): Promise<{ pnl: number; closedAt: Date }[]> {
  const { pnl, closedAt } = botTrades;
  const rows = await db.select({ pnl, closedAt }).from(botTrades).where(closedTrades(of)).orderBy(asc(closedAt));
  return rows.flatMap((row) => (row.closedAt ? { pnl: row.pnl, closedAt: row.closedAt } : []));
}

/** Adds a bot to the list of deleted bots. Does nothing for a bot without trades. */
export async function keepDeletedBot(tx: Tx, bot: BotRow, now: number): Promise<void> {
  if ((await tx.$count(botTrades, eq(botTrades.botId, bot.id))) === 0) return;
  const { id, userId, name, exchange, testnet, positionSize, createdAt } = bot;
  await tx.insert(deletedBots).values({ id, userId, name, exchange, testnet, positionSize, createdAt, deletedAt: new Date(now) });
}

/** Returns a user's deleted bots, most recently deleted first. */
export const findDeletedBots = (db: Db, userId: string): Promise<DeletedBotRow[]> =>
  db
    .select()
    .from(deletedBots)
    .where(eq(deletedBots.userId, userId))
    .orderBy(desc(deletedBots.deletedAt), desc(deletedBots.id))
    .limit(MAX_LISTED);

export async function findDeletedBot(db: Db, userId: string, id: string): Promise<DeletedBotRow | undefined> {
  const [row] = await db
    .select()
    .from(deletedBots)
    .where(and(eq(deletedBots.id, id), eq(deletedBots.userId, userId)));
  return row;
}
