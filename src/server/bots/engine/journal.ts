import { and, desc, eq, exists, inArray, ne } from 'drizzle-orm';
import type { Clock } from '../../../domain/clock';
import type { Db } from '../../db/open';
import { botOrders, bots } from '../../db/schema';
import { type ExchangeAccount, ExchangeError, type ExchangeOrder } from '../../ports/exchange/exchange';
import { fatalReason } from '../refusals';
import type { BotRow, OrderRow } from '../store';
import { hold, LostLease } from './lease';
import { uuidv5 } from './uuid';

/** How often an order of which nothing is known is looked for at once. */
const LOOKS = 3;

export interface Intent {
  purpose: 'entry' | 'close';
  /** What it is for; the same intent has the same one. */
  key: string;
  /** Opening time of the candle that it follows from, ms of the feed's time; null for what a user asked for. */
  candle: number | null;
  direction: 'buy' | 'sell';
  /** BTC. */
  quantity: number;
  /** USD. */
  stop?: number;
  target?: number;
  /** Told as the trade's reason. */
  reason?: string;
}

/** The client order id of an intent: 36 characters. */
const clientIdOf = (botId: string, { purpose, key }: Pick<Intent, 'purpose' | 'key'>): string => uuidv5(`${purpose}:${key}`, botId);

/** Orders that may still be on their way or resting. */
export const findUnsettled = (db: Db, botId: string): Promise<OrderRow[]> =>
  db
    .select()
    .from(botOrders)
    .where(and(eq(botOrders.botId, botId), inArray(botOrders.state, ['intended', 'accepted'])));

export async function findOrders(db: Db, botId: string, clientIds: readonly string[]): Promise<OrderRow[]> {
  if (clientIds.length === 0) return [];
  return db
    .select()
    .from(botOrders)
    .where(and(eq(botOrders.botId, botId), inArray(botOrders.clientId, [...clientIds])));
}

/** The entry that was written down last, unless it came to nothing. */
export async function findLastEntry(db: Db, botId: string): Promise<OrderRow | undefined> {
  const [row] = await db
    .select()
    .from(botOrders)
    .where(and(eq(botOrders.botId, botId), eq(botOrders.purpose, 'entry'), inArray(botOrders.state, ['intended', 'accepted', 'filled'])))
    .orderBy(desc(botOrders.createdAt))
    .limit(1);
  return row;
}

/** What a bot sent for a candle, if anything. */
export async function findOfCandle(db: Db, botId: string, candle: number): Promise<OrderRow | undefined> {
  const [row] = await db
    .select()
    .from(botOrders)
    .where(and(eq(botOrders.botId, botId), eq(botOrders.candle, candle), ne(botOrders.state, 'cancelled')));
  return row;
}

/** How many of a bot's orders to close came to nothing: the next one has a name of its own. */
export const countFailedCloses = (db: Db, botId: string): Promise<number> =>
  db.$count(
    botOrders,
    and(eq(botOrders.botId, botId), eq(botOrders.purpose, 'close'), inArray(botOrders.state, ['cancelled', 'rejected'])),
  );

interface Hand {
  db: Db;
  clock: Clock;
  bot: Pick<BotRow, 'id' | 'fence'>;
  account: ExchangeAccount;
}

/**
 * Writes an intent down, committed, and then sends it. What was written down before is not written again, and what the
 * exchange has already it does not take twice. Rejects with ExchangeError where it is unclear whether it was done: the
 * intent stays as it is then, and is looked up before anything else is sent.
 */
export async function send(hand: Hand, intent: Intent): Promise<OrderRow> {
  const { db, clock, bot } = hand;
  const clientId = clientIdOf(bot.id, intent);
  const now = new Date(clock());
  const { purpose, candle, direction, quantity, stop = null, target = null, reason = null } = intent;
  const row = await db.transaction(async (tx) => {
    await hold(tx, bot, clock());
    const state = 'intended';
    const values = {
      clientId,
      botId: bot.id,
      purpose,
      candle,
      direction,
      quantity,
      stop,
      target,
      reason,
      state,
      fence: bot.fence,
    } as const;
    const [written] = await tx
      .insert(botOrders)
      .values({ ...values, createdAt: now, updatedAt: now })
      .onConflictDoNothing()
      .returning();
    return written ?? (await findOrders(tx, bot.id, [clientId]))[0];
  });
  if (!row) throw new LostLease();
  return row.state === 'intended' ? deliver(hand, row) : row;
}

async function deliver(hand: Hand, row: OrderRow): Promise<OrderRow> {
  try {
    const { clientId, direction, quantity, stop, target, purpose } = row;
    const order = await hand.account.submit({
      clientId,
      direction,
      type: 'market',
      quantity,
      ...(purpose === 'close' && { reduceOnly: true }),
      ...(stop !== null && { stop }),
      ...(target !== null && { target }),
    });
    return await settle(hand, row, order);
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    if (error.trouble === 'rejected' || error.trouble === 'funds') return settleAs(hand, row, 'rejected', error.message);
    if (fatalReason(error) !== null) await settleAs(hand, row, 'rejected', error.message);
    if (error.trouble !== 'unclear' && error.trouble !== 'duplicate') throw error;
    for (let look = 0; look < LOOKS; look++) {
      const found = await hand.account.find(row.clientId).catch(() => undefined);
      if (found) return settle(hand, row, found);
    }
    throw error;
  }
}

const STATES = {
  open: 'accepted',
  filled: 'filled',
  'partly-filled-cancelled': 'filled',
  cancelled: 'cancelled',
  rejected: 'rejected',
} as const satisfies Record<ExchangeOrder['state'], OrderRow['state']>;

/** Writes down what became of an order. */
function settle(hand: Hand, row: OrderRow, order: ExchangeOrder): Promise<OrderRow> {
  const { exchangeId, price, filled } = order;
  const refused = order.reject === undefined ? {} : { reason: `refused (${order.reject})` };
  return update(hand, row, { state: STATES[order.state], exchangeId, price, filled, ...refused });
}

export const settleAs = (hand: Hand, row: OrderRow, state: OrderRow['state'], reason: string): Promise<OrderRow> =>
  update(hand, row, { state, reason });

/** In one statement: what the exchange says of an order is true whoever writes it down, so the bot need not be held for it. */
async function update({ db, clock, bot }: Hand, { clientId }: OrderRow, set: Partial<OrderRow>): Promise<OrderRow> {
  const ours = db
    .select({ id: bots.id })
    .from(bots)
    .where(and(eq(bots.id, bot.id), eq(bots.fence, bot.fence)));
  const [row] = await db
    .update(botOrders)
    .set({ ...set, updatedAt: new Date(clock()) })
    .where(and(eq(botOrders.clientId, clientId), exists(ours)))
    .returning();
  if (!row) throw new LostLease();
  return row;
}

/** Asks the exchange about each order that nobody knows the end of. What it knows nothing of stays as it is. */
export async function lookUp(hand: Hand, rows: readonly OrderRow[]): Promise<OrderRow[]> {
  const looked: OrderRow[] = [];
  for (const row of rows) {
    const order = await hand.account.find(row.clientId);
    looked.push(order ? await settle(hand, row, order) : row);
  }
  return looked;
}
