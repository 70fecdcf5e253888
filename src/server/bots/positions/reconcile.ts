import { pauseBelow } from '#domain/bots/loss-limit.ts';
import { type Clock, MINUTE, SECOND } from '#domain/clock.ts';
import { clockTime } from '#server/ports/exchange/clock-time.ts';
import type { CandleFeed, Exchange, ExchangeAccount, ExchangeFill, ExchangePosition } from '#server/ports/exchange/exchange.ts';
import type { BatchedStore } from '../store/batched-store.ts';
import type { BotRow } from '../store/bots.ts';
import { type KeptPosition, positionOf, unrealisedAt } from '../store/position.ts';
import { UNEXPLAINED } from '../store/trades.ts';
import { type LedgerTrade, pnlOf, readTrades } from './ledger.ts';
import { type KeptGuards, readFrom, readGuards, updateGuards } from './risk-guards.ts';

/**
 * How long the exchange's fills and position may disagree, because one of them arrives late; ms of the feed's time.
 * After that the position counts.
 */
const SETTLING = 30 * SECOND;
/** The same for a position that is gone while no fill says why: a busy exchange reports fills minutes late. */
const UNEXPLAINED_AFTER = 3 * MINUTE;
/** How long the fills of an order may take to arrive, ms. Until then, a position that appears and matches the order counts as the bot's. */
export const LATE_FILLS = 15 * MINUTE;
/** A smaller missing quantity is floating-point noise, BTC. */
const QUANTITY_NOISE = 1e-9;
/** Candles that the guards catch up on at most after a pause of the engine. */
const MAX_CANDLES = 5000;

/** A bot's account, as the exchange reports it. */
export interface Observation {
  /** The account's position, also if the bot did not open it. */
  held: ExchangePosition | null;
  /** The position that the bot opened; null without one. */
  position: KeptPosition | null;
  /** The account has a position that the bot did not open. */
  isForeign: boolean;
  /** The exchange's fills and position disagree, so the bot must not act. */
  isUnsettled: boolean;
  /** The exchange's fills since the last cycle. */
  fills: readonly ExchangeFill[];
  trades: readonly LedgerTrade[];
  /** The bot's money without the open position's profit, USD. */
  balance: number;
  /** The bot's money with the open position's profit, USD. */
  equity: number;
  guards: KeptGuards;
  /** Start of the fills that the next cycle reads, ms of the feed's time. */
  fillsSeenTo: number;
}

interface Parts {
  store: Pick<BatchedStore, 'orders' | 'lastEntry' | 'lastOrderAt' | 'profit'>;
  clock: Clock;
  exchange: Exchange;
  bot: BotRow;
  account: ExchangeAccount;
}

/** Builds a bot's trades from fills. The first fill must be one before which the bot held nothing. */
export async function readLedger(
  store: Pick<BatchedStore, 'orders'>,
  botId: string,
  fills: readonly ExchangeFill[],
): Promise<LedgerTrade[]> {
  const clientIds = [...new Set(fills.flatMap(({ clientId }) => clientId ?? []))];
  const known = clientIds.length === 0 ? [] : await store.orders({ botId, clientIds });
  const orders = new Map(known.map((order) => [order.clientId, order]));
  return readTrades(fills, (clientId) => orders.get(clientId));
}

/** Reads a bot's account from the exchange, which is the source of truth. Writes nothing. */
export async function observe({ store, clock, exchange: { feed }, bot, account }: Parts): Promise<Observation> {
  // A replay that starts over is earlier than what was seen before.
  const seenTo = Math.min(bot.fillsSeenTo, feed.now());
  // The fills of an unexpected position are needed to explain it.
  const early = (await expectsFills({ store, clock, feed, bot })) ? undefined : await account.position();
  const fills = early === null ? [] : await account.fills(seenTo);
  const held = early === undefined ? await account.position() : early;
  const ledger = await readLedger(store, bot.id, fills);
  const now = feed.now();
  const clockAt = (time: number) => clockTime(feed, clock, time);
  const { position: found, isUnsettled, vanished } = await reconcile({ store, clock, bot, ledger, held, now, clockAt });
  const position = found && isUnsettled ? { ...found, unsettledClock: positionOf(bot)?.unsettledClock ?? clock() } : found;
  // The exchange holds no such position and reports no closing fill: close the trade at the current price.
  const trades = vanished
    ? [...ledger.filter(({ entryId }) => entryId !== vanished.entryId), closedNow(vanished, now, (await feed.forming()).close)]
    : ledger;
  const earlier = await store.profit({ botId: bot.id, except: trades.map(({ entryId }) => entryId) });
  const balance = trades.reduce((sum, trade) => sum + pnlOf(trade), bot.positionSize + earlier);
  const kept = readGuards(bot.guards, now);
  const missed = Math.min(MAX_CANDLES, Math.max(1, Math.ceil((now - kept.markedTo) / feed.interval) + 1));
  const candles = isUnsettled ? [] : await feed.closed(missed);
  const drawdown = pauseBelow(bot.maxDrawdown);
  const guards = updateGuards({ kept, candles, interval: feed.interval, trades, balance, drawdown });
  return {
    held,
    position,
    isForeign: held !== null && !position && !isUnsettled,
    isUnsettled,
    fills,
    trades,
    balance,
    equity: balance + (position?.unrealised ?? 0),
    guards,
    // After a trade without an explanation this is later than the last mark: its late fills are for `explainTrades`.
    fillsSeenTo: isUnsettled ? seenTo : vanished ? now : Math.max(seenTo, readFrom(trades, guards.markedTo)),
  };
}

/** Whether the cycle needs fills: the bot holds a position, has placed an order lately, or its guards have not seen every trade. */
async function expectsFills({ store, clock, feed, bot }: Pick<Parts, 'store' | 'clock' | 'bot'> & { feed: CandleFeed }): Promise<boolean> {
  if (bot.position !== null) return true;
  const orderedAt = await store.lastOrderAt(bot.id);
  if (orderedAt === undefined) return false;
  const { markedTo } = readGuards(bot.guards, Number.POSITIVE_INFINITY);
  return bot.fillsSeenTo < markedTo || orderedAt > clockTime(feed, clock, markedTo) - LATE_FILLS;
}

interface Evidence extends Pick<Parts, 'store' | 'clock' | 'bot'> {
  ledger: readonly LedgerTrade[];
  held: ExchangePosition | null;
  /** ms of the feed's time. */
  now: number;
  /** Converts the feed's time to the clock's. */
  clockAt: (time: number) => number;
}

interface Reconciled extends Pick<Observation, 'position' | 'isUnsettled'> {
  /** An open trade whose position is gone. */
  vanished?: LedgerTrade;
}

/** Determines the bot's position from its fills and the exchange's position. One of them may arrive late. */
async function reconcile(evidence: Evidence): Promise<Reconciled> {
  const { ledger, held, bot, now, clockAt } = evidence;
  const before = positionOf(bot);
  const last = ledger.at(-1);
  if (last?.closedAt === null) {
    const openedClock = clockAt(last.openedAt);
    if (held?.side === last.side) {
      const missing = held.quantity > last.left ? await missingQuantity(evidence, last, held.quantity) : 0;
      const position = keptPosition({ ...last, left: last.left + missing }, held, openedClock);
      if (missing === 0) return { position, isUnsettled: false };
      return { position: { ...position, unsettledSince: before?.unsettledSince ?? now }, isUnsettled: true };
    }
    const known = before?.entryId === last.entryId ? before : await orderedPosition(evidence, last, openedClock);
    return awaitFills(known, last, now);
  }
  // Gone before even its opening fills have come.
  if (!held && before && !ledger.some(({ entryId }) => entryId === before.entryId)) return awaitFills(before, openTradeOf(before), now);
  if (!held) return { position: null, isUnsettled: false };
  const early = await positionBeforeFills(evidence, held);
  if (early) return { position: early, isUnsettled: true };
  return { position: null, isUnsettled: last !== undefined && now - (last.closedAt ?? 0) < SETTLING };
}

/** Returns what the exchange has filled of an open trade's entry without a fill that says so yet, BTC. */
async function missingQuantity({ store, clock, bot }: Evidence, { entryId, quantity }: LedgerTrade, held: number): Promise<number> {
  const [entry] = await store.orders({ botId: bot.id, clientIds: [entryId] });
  if (!entry) return 0;
  const isRecorded = entry.state === 'filled';
  if (!isRecorded && clock() - entry.updatedAt.getTime() >= LATE_FILLS) return 0;
  // The outcome of an order of this very cycle is not recorded yet.
  const filled = isRecorded ? entry.filled : Math.min(held, entry.quantity);
  const missing = filled - quantity;
  return missing > QUANTITY_NOISE ? Number(missing.toFixed(8)) : 0;
}

/** Keeps a position that is gone until fills explain it, or closes its trade without them. */
function awaitFills(known: KeptPosition, trade: LedgerTrade, now: number): Reconciled {
  const unsettledSince = known.unsettledSince ?? now;
  if (now - unsettledSince >= UNEXPLAINED_AFTER) return { position: null, isUnsettled: false, vanished: trade };
  return { position: { ...known, unsettledSince }, isUnsettled: true };
}

/** Returns the trade of a position without fills. */
const openTradeOf = ({ entryId, side, quantity, entryPrice, openedAt }: KeptPosition): LedgerTrade => ({
  ...{ entryId, side, quantity, entryPrice, openedAt, left: quantity, exitPrice: null, closedAt: null, reason: null },
  ...{ realised: 0, fees: 0, funding: 0, payments: [] },
});

/** Returns the position that an entry order asked for. */
async function orderedPosition({ store, bot }: Evidence, { entryId, side, left, entryPrice, openedAt }: LedgerTrade, openedClock: number) {
  const [entry] = await store.orders({ botId: bot.id, clientIds: [entryId] });
  const { stop = null, target = null } = entry ?? {};
  const position: KeptPosition = {
    side,
    quantity: left,
    entryPrice,
    stop,
    target,
    liquidationPrice: 0,
    unrealised: 0,
    entryId,
    openedAt,
    openedClock,
  };
  return position;
}

/** Returns the position of the bot's last entry if the exchange shows it before its fills; otherwise undefined. */
async function positionBeforeFills(
  { store, clock, bot, ledger, now }: Evidence,
  held: ExchangePosition,
): Promise<KeptPosition | undefined> {
  const entry = await store.lastEntry(bot.id);
  if (!entry) return undefined;
  const isKept = positionOf(bot)?.entryId === entry.clientId;
  if (!isKept && clock() - entry.updatedAt.getTime() >= LATE_FILLS) return undefined;
  if ((entry.direction === 'buy') !== (held.side === 'long') || ledger.some(({ entryId }) => entryId === entry.clientId)) return undefined;
  const { side, entryPrice, stop, target, liquidationPrice, unrealised } = held;
  return {
    side,
    quantity: Math.min(held.quantity, entry.quantity),
    entryPrice,
    stop,
    target,
    liquidationPrice,
    unrealised,
    entryId: entry.clientId,
    openedAt: now,
    openedClock: entry.updatedAt.getTime(),
    unsettledSince: now,
  };
}

/** Returns the bot's part of the exchange's position, without what the account's owner added. */
function keptPosition(open: LedgerTrade, held: ExchangePosition, openedClock: number): KeptPosition {
  const { side, stop, target, liquidationPrice } = held;
  const { entryId, openedAt, left } = open;
  const isShared = held.quantity > left;
  const entryPrice = isShared ? open.entryPrice : held.entryPrice;
  const quantity = isShared ? left : held.quantity;
  const unrealised = isShared ? unrealisedAt({ side, quantity, entryPrice }, held.markPrice) : held.unrealised;
  return { side, quantity, entryPrice, stop, target, liquidationPrice, unrealised, entryId, openedAt, openedClock };
}

const closedNow = (trade: LedgerTrade, at: number, price: number): LedgerTrade => ({
  ...trade,
  left: 0,
  closedAt: at,
  exitPrice: price,
  realised: trade.realised + unrealisedAt({ ...trade, quantity: trade.left }, price),
  reason: UNEXPLAINED,
});
