import { and, asc, eq, gte, inArray, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open';
import { paperAccounts, paperFills, paperOrders } from '../../../db/schema';
import type { BookState } from '../../../strategy/matching/types';
import type { ExchangeFill, ExchangeOrder } from '../exchange';

export interface KeptAccount {
  book: BookState;
  /** USD it was given. */
  funded: number;
  /** Up to where the book was advanced, ms of the feed's time. */
  advancedTo: number;
  /** How many fills it has had. */
  fills: number;
}

const columns = {
  book: sql<BookState>`${paperAccounts.book}`,
  funded: paperAccounts.funded,
  advancedTo: paperAccounts.advancedTo,
  fills: paperAccounts.fills,
};

export async function findAccount(db: Db, botId: string): Promise<KeptAccount | undefined> {
  const [row] = await db.select(columns).from(paperAccounts).where(eq(paperAccounts.botId, botId));
  return row;
}

/** The same, held until the transaction ends; opened as given where there is none. */
export async function holdAccount(tx: Tx, botId: string, fresh: KeptAccount): Promise<KeptAccount> {
  const hold = () => tx.select(columns).from(paperAccounts).where(eq(paperAccounts.botId, botId)).for('update');
  const [held] = await hold();
  if (held) return held;
  await tx
    .insert(paperAccounts)
    .values({ botId, ...fresh })
    .onConflictDoNothing();
  return (await hold())[0] ?? fresh;
}

export async function saveAccount(tx: Tx, botId: string, account: KeptAccount): Promise<void> {
  await tx.update(paperAccounts).set(account).where(eq(paperAccounts.botId, botId));
}

export async function insertFills(tx: Tx, botId: string, fills: readonly (ExchangeFill & { place: number })[]): Promise<void> {
  if (fills.length === 0) return;
  await tx.insert(paperFills).values(fills.map(({ place, ...fill }) => ({ botId, place, at: fill.at, fill })));
}

/** Oldest first. */
export async function listFills(db: Db, botId: string, since: number): Promise<ExchangeFill[]> {
  const rows = await db
    .select({ fill: sql<ExchangeFill>`${paperFills.fill}` })
    .from(paperFills)
    .where(and(eq(paperFills.botId, botId), gte(paperFills.at, since)))
    .orderBy(asc(paperFills.place));
  return rows.map(({ fill }) => fill);
}

/** False where the account has had an order of this id. */
export async function insertOrder(tx: Tx, botId: string, order: ExchangeOrder): Promise<boolean> {
  const written = await tx.insert(paperOrders).values({ botId, clientId: order.clientId, order }).onConflictDoNothing().returning();
  return written.length > 0;
}

export async function changeOrder(tx: Tx, botId: string, clientId: string, change: Partial<ExchangeOrder>): Promise<void> {
  await tx
    .update(paperOrders)
    .set({ order: sql`${paperOrders.order} || ${JSON.stringify(change)}::jsonb` })
    .where(and(eq(paperOrders.botId, botId), eq(paperOrders.clientId, clientId)));
}

export async function findPaperOrders(db: Db, botId: string, clientIds: readonly string[]): Promise<ExchangeOrder[]> {
  if (clientIds.length === 0) return [];
  const rows = await db
    .select({ order: sql<ExchangeOrder>`${paperOrders.order}` })
    .from(paperOrders)
    .where(and(eq(paperOrders.botId, botId), inArray(paperOrders.clientId, [...clientIds])));
  return rows.map(({ order }) => order);
}
