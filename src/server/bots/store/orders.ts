import { and, count, desc, eq, inArray, ne, or, sql } from 'drizzle-orm';
import { changeRows } from '#server/db/change-rows.ts';
import type { Db } from '#server/db/open.ts';
import { botOrders } from '#server/db/schema/bots.ts';
import { groupBy } from '#server/group-by.ts';
import { type ExchangeAccount, ExchangeError, type ExchangeOrder } from '#server/ports/exchange/exchange.ts';
import { fatalReason } from '../messages/refusals.ts';
import { extend, type Held, hold, LostLease } from './bot-lease.ts';
import type { OrderRow } from './bots.ts';
import { uuidv5 } from './uuid.ts';

/** How often an order of which nothing is known is looked for at once. */
const LOOKS = 3;
/** Below this, what is missing of a quantity is dust of binary fractions, BTC. */
const DUST = 1e-9;

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

/** Orders of each bot that may still be on their way or resting. */
export async function findUnsettled(db: Db, botIds: readonly string[]): Promise<OrderRow[][]> {
  const rows = await db
    .select()
    .from(botOrders)
    .where(and(inArray(botOrders.botId, [...botIds]), inArray(botOrders.state, ['intended', 'accepted'])));
  const found = groupBy(rows, ({ botId }) => botId);
  return botIds.map((id) => found.get(id) ?? []);
}

export interface OrdersAsked {
  botId: string;
  clientIds: readonly string[];
}

/** A bot's own orders of these ids, for each that asks. */
export async function findOrders(db: Db, asked: readonly OrdersAsked[]): Promise<OrderRow[][]> {
  const clientIds = asked.flatMap((one) => one.clientIds);
  const rows = clientIds.length === 0 ? [] : await db.select().from(botOrders).where(inArray(botOrders.clientId, clientIds));
  const found = new Map(rows.map((row) => [row.clientId, row]));
  return asked.map((one) =>
    one.clientIds.flatMap((clientId) => {
      const row = found.get(clientId);
      return row?.botId === one.botId ? row : [];
    }),
  );
}

/** Each bot's entry that was written down last, unless it came to nothing. */
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

/** What each bot sent for a candle, if anything. */
export async function findOfCandle(
  db: Db,
  asked: readonly { botId: string; candle: number }[],
): Promise<(Pick<OrderRow, 'state'> | undefined)[]> {
  const { botId, candle, state } = botOrders;
  const rows = await db
    .select({ botId, candle, state })
    .from(botOrders)
    .where(
      and(
        inArray(
          botId,
          asked.map((one) => one.botId),
        ),
        inArray(candle, [...new Set(asked.map((one) => one.candle))]),
        ne(state, 'cancelled'),
      ),
    );
  const found = groupBy(rows, (row) => row.botId);
  return asked.map((one) => found.get(one.botId)?.find((row) => row.candle === one.candle));
}

/** How many of each bot's orders to close left something open, or all of it: the next one has a name of its own. */
export async function countFailedCloses(db: Db, botIds: readonly string[]): Promise<number[]> {
  const { botId, purpose, state, filled, quantity } = botOrders;
  const short = and(eq(state, 'filled'), sql`${filled} < ${quantity} - ${DUST}::float8`);
  const rows = await db
    .select({ botId, failed: count() })
    .from(botOrders)
    .where(and(inArray(botId, [...botIds]), eq(purpose, 'close'), or(inArray(state, ['cancelled', 'rejected']), short)))
    .groupBy(botId);
  const found = new Map(rows.map((row) => [row.botId, row.failed]));
  return botIds.map((id) => found.get(id) ?? 0);
}

export interface Intended {
  bot: Held;
  intent: Intent;
}

/**
 * Writes intents down, in one transaction. What was written down before is not written again and answered as it stands.
 * `LostLease` for a bot that is no longer ours.
 */
export async function intend(db: Db, intended: readonly Intended[], now: number): Promise<(OrderRow | LostLease)[]> {
  const at = new Date(now);
  return db.transaction(async (tx) => {
    const held = await hold(
      tx,
      intended.map(({ bot }) => bot),
    );
    const ours = intended.filter((_, index) => held[index]);
    const rows = ours.map(({ bot, intent }) => ({ ...toRow(bot, intent), createdAt: at, updatedAt: at }));
    if (rows.length > 0) await tx.insert(botOrders).values(rows).onConflictDoNothing();
    await extend(
      tx,
      ours.map(({ bot }) => bot.id),
      now,
    );
    const written = await findOrders(
      tx,
      intended.map(({ bot, intent }) => ({ botId: bot.id, clientIds: [clientIdOf(bot.id, intent)] })),
    );
    return written.map((found, index) => (held[index] && found[0]) ?? new LostLease());
  });
}

const toRow = (bot: Held, intent: Intent) => {
  const { purpose, candle, direction, quantity, stop = null, target = null, reason = null } = intent;
  const facts = { purpose, candle, direction, quantity, stop, target, reason };
  return { clientId: clientIdOf(bot.id, intent), botId: bot.id, ...facts, state: 'intended' as const, fence: bot.fence };
};

/** What became of an order. */
export interface Outcome {
  bot: Held;
  row: OrderRow;
  set: Partial<Pick<OrderRow, 'state' | 'exchangeId' | 'price' | 'filled' | 'reason'>>;
}

/** Writes outcomes down, in one transaction. `LostLease` for a bot that is no longer ours. */
export async function conclude(db: Db, outcomes: readonly Outcome[], now: number): Promise<(OrderRow | LostLease)[]> {
  const updatedAt = new Date(now);
  return db.transaction(async (tx) => {
    const held = await hold(
      tx,
      outcomes.map(({ bot }) => bot),
    );
    const rows = outcomes.map(({ row, set }) => ({ ...row, ...set, updatedAt }));
    await changeRows(tx, botOrders, {
      key: ['clientId'],
      set: ['state', 'exchangeId', 'price', 'filled', 'reason', 'updatedAt'],
      rows: rows.filter((_, index) => held[index]),
    });
    return rows.map((row, index) => (held[index] ? row : new LostLease()));
  });
}

/** What writes a bot's orders down and sends them. */
interface Hand {
  bot: Held;
  account: ExchangeAccount;
  /** Writes as `intend` and `conclude` do, for one (see desk.ts). Both reject with `LostLease`. */
  desk: { intend: (intended: Intended) => Promise<OrderRow>; conclude: (outcome: Outcome) => Promise<OrderRow> };
}

/**
 * Writes an intent down, committed, and then sends it. What was written down before is not written again, and what the
 * exchange has already it does not take twice. Rejects with ExchangeError where it is unclear whether it was done: the
 * intent stays as it is then, and is looked up before anything else is sent.
 */
export async function send(hand: Hand, intent: Intent): Promise<OrderRow> {
  const row = await hand.desk.intend({ bot: hand.bot, intent });
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
  const refused = order.reject === undefined ? {} : { reason: `code ${order.reject}` };
  return hand.desk.conclude({ bot: hand.bot, row, set: { state: STATES[order.state], exchangeId, price, filled, ...refused } });
}

export const settleAs = ({ desk, bot }: Hand, row: OrderRow, state: OrderRow['state'], reason: string): Promise<OrderRow> =>
  desk.conclude({ bot, row, set: { state, reason } });

/** Asks the exchange about each order that nobody knows the end of. What it knows nothing of stays as it is. */
export async function lookUp(hand: Hand, rows: readonly OrderRow[]): Promise<OrderRow[]> {
  const looked: OrderRow[] = [];
  for (const row of rows) {
    const order = await hand.account.find(row.clientId);
    looked.push(order ? await settle(hand, row, order) : row);
  }
  return looked;
}
