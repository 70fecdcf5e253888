import { and, asc, inArray, sql } from 'drizzle-orm';
import { changeRows } from '#server/db/change-rows.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { paperAccounts, paperFills, paperOrders } from '#server/db/schema/paper.ts';
import { groupBy } from '#server/group-by.ts';
import type { BookState } from '#server/strategy/matching/types.ts';
import type { ExchangeFill, ExchangeOrder } from '../exchange.ts';

export interface KeptAccount {
  book: BookState;
  /** Deposits, USD. */
  funded: number;
  /** Up to when the book was advanced, ms of the feed's time. */
  advancedTo: number;
  /** Number of fills so far. */
  fills: number;
}

const columns = {
  botId: paperAccounts.botId,
  book: sql<BookState>`${paperAccounts.book}`,
  funded: paperAccounts.funded,
  advancedTo: paperAccounts.advancedTo,
  fills: paperAccounts.fills,
};

/** Returns accounts; undefined for one that was never opened. */
export async function findAccounts(db: Db, botIds: readonly string[]): Promise<(KeptAccount | undefined)[]> {
  const rows = await db
    .select(columns)
    .from(paperAccounts)
    .where(inArray(paperAccounts.botId, [...botIds]));
  const found = new Map(rows.map(({ botId, ...account }) => [botId, account]));
  return botIds.map((id) => found.get(id));
}

/** Locks and returns all accounts. */
export const listAccounts = (tx: Tx): Promise<(KeptAccount & { botId: string })[]> =>
  tx.select(columns).from(paperAccounts).orderBy(paperAccounts.botId).for('no key update');

/** Locks accounts until the transaction ends, and opens the missing ones as `fresh` has them. */
export async function lockAccounts(tx: Tx, fresh: ReadonlyMap<string, KeptAccount>): Promise<Map<string, KeptAccount>> {
  const ids = [...fresh.keys()];
  const lock = async () => {
    const rows = await tx
      .select(columns)
      .from(paperAccounts)
      .where(inArray(paperAccounts.botId, ids))
      .orderBy(paperAccounts.botId)
      .for('no key update');
    return new Map(rows.map(({ botId, ...account }) => [botId, account]));
  };
  const locked = await lock();
  const missing = [...fresh].filter(([botId]) => !locked.has(botId));
  if (missing.length === 0) return locked;
  await tx
    .insert(paperAccounts)
    .values(missing.map(([botId, account]) => ({ botId, ...account })))
    .onConflictDoNothing();
  return lock();
}

export const saveAccounts = (tx: Tx, accounts: ReadonlyMap<string, KeptAccount>): Promise<void> =>
  changeRows(tx, paperAccounts, {
    key: ['botId'],
    set: ['book', 'funded', 'advancedTo', 'fills'],
    rows: [...accounts].map(([botId, account]) => ({ botId, ...account })),
  });

/** A fill with its position among the account's fills. */
export interface PlacedFill {
  botId: string;
  place: number;
  fill: ExchangeFill;
}

export async function insertFills(tx: Tx, fills: readonly PlacedFill[]): Promise<void> {
  if (fills.length > 0) await tx.insert(paperFills).values(fills.map((placed) => ({ ...placed, at: placed.fill.at })));
}

/** Returns each account's fills at or after `since`, oldest first. */
export async function listFills(db: Db, asked: readonly { botId: string; since: number }[]): Promise<ExchangeFill[][]> {
  const earliest = new Map<string, number>();
  for (const { botId, since } of asked) earliest.set(botId, Math.min(since, earliest.get(botId) ?? since));
  const wanted = [...earliest].map(([bot, since]) => ({ bot, since }));
  const from = sql`json_to_recordset(${JSON.stringify(wanted)}::json) as wanted(bot uuid, since float8)`;
  const rows = await db
    .select({ botId: paperFills.botId, fill: sql<ExchangeFill>`${paperFills.fill}` })
    .from(paperFills)
    .innerJoin(from, sql`${paperFills.botId} = wanted.bot and ${paperFills.at} >= wanted.since`)
    .orderBy(asc(paperFills.place));
  const found = groupBy(rows, ({ botId }) => botId);
  return asked.map(({ botId, since }) => (found.get(botId) ?? []).flatMap(({ fill }) => (fill.at >= since ? fill : [])));
}

/** An order of an account. */
export interface PaperOrder {
  botId: string;
  clientId: string;
  order: ExchangeOrder;
}

export async function insertOrders(tx: Tx, orders: readonly PaperOrder[]): Promise<void> {
  if (orders.length > 0) await tx.insert(paperOrders).values([...orders]);
}

export const saveOrders = (tx: Tx, orders: readonly PaperOrder[]): Promise<void> =>
  changeRows(tx, paperOrders, { key: ['botId', 'clientId'], set: ['order'], rows: orders });

/** Returns the orders of each query that its account has. */
export async function findPaperOrders(
  db: Db,
  asked: readonly { botId: string; clientIds: readonly string[] }[],
): Promise<ExchangeOrder[][]> {
  const clientIds = [...new Set(asked.flatMap((one) => one.clientIds))];
  if (clientIds.length === 0) return asked.map(() => []);
  const botIds = asked.map(({ botId }) => botId);
  const rows = await db
    .select({ botId: paperOrders.botId, order: sql<ExchangeOrder>`${paperOrders.order}` })
    .from(paperOrders)
    .where(and(inArray(paperOrders.botId, botIds), inArray(paperOrders.clientId, clientIds)));
  const found = groupBy(rows, ({ botId }) => botId);
  return asked.map((one) => (found.get(one.botId) ?? []).flatMap(({ order }) => (one.clientIds.includes(order.clientId) ? order : [])));
}
