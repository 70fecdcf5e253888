import { type Clock, SECOND } from '#domain/clock.ts';
import { clockTime } from '#server/ports/exchange/clock-time.ts';
import type { AccountSnapshot, Exchange, ExchangeAccount, ExchangePosition } from '#server/ports/exchange/exchange.ts';
import type { Desk } from '../store/batched-store.ts';
import type { BotRow } from '../store/bots.ts';
import { type KeptPosition, positionOf, unrealisedAt } from '../store/position.ts';
import { type LedgerTrade, pnlOf, readTrades } from './ledger.ts';
import { type KeptGuards, passGuards, readFrom, readGuards } from './risk-guards.ts';

/** How long position and executions may disagree before the position counts: one of the two comes late; ms of the feed's time. */
const SETTLING = 30 * SECOND;
/** Candles that guards hear at most of a time when nobody looked. */
const MOST_CANDLES = 5000;

/** A bot as the exchange knows it. */
export interface View {
  snapshot: AccountSnapshot;
  /** The position that the bot opened; null without one. */
  position: KeptPosition | null;
  /** A position is there that the bot did not open. */
  foreign: boolean;
  /** What the exchange says does not fit together yet: nothing is concluded from it, and nothing done. */
  unsettled: boolean;
  trades: readonly LedgerTrade[];
  /** USD: the bot's money without and with what is unrealised. */
  balance: number;
  equity: number;
  kept: KeptGuards;
  /** From where fills are read next time. */
  fillsSeenTo: number;
}

interface Parts {
  desk: Pick<Desk, 'orders' | 'lastEntry' | 'earned'>;
  clock: Clock;
  exchange: Exchange;
  bot: BotRow;
  account: ExchangeAccount;
}

/** Asks the exchange, which is right in all that it says. Writes nothing. */
export async function look({ desk, clock, exchange: { feed }, bot, account }: Parts): Promise<View> {
  const fills = await account.fills(bot.fillsSeenTo);
  const snapshot = await account.snapshot();
  const clientIds = [...new Set(fills.flatMap(({ clientId }) => clientId ?? []))];
  const known = clientIds.length === 0 ? [] : await desk.orders({ botId: bot.id, clientIds });
  const orders = new Map(known.map((order) => [order.clientId, order]));
  const read = readTrades(fills, (clientId) => orders.get(clientId));
  const now = feed.now();
  const clockAt = (time: number) => clockTime(feed, clock, time);
  const { position, unsettled, vanished } = await reconcile({ desk, clock, bot, read, held: snapshot.position, now, clockAt });
  // Gone without a fill that says how: what the exchange holds counts, at the price of now.
  const trades = vanished ? [...read.slice(0, -1), closedNow(vanished, now, (await feed.forming()).close)] : read;
  const before = await desk.earned({ botId: bot.id, but: trades.map(({ entryId }) => entryId) });
  const balance = trades.reduce((sum, trade) => sum + pnlOf(trade), bot.positionSize + before);
  const start = readGuards(bot.guards, now);
  const missed = Math.min(MOST_CANDLES, Math.max(1, Math.ceil((now - start.markedTo) / feed.interval) + 1));
  const candles = unsettled ? [] : await feed.closed(missed);
  const kept = passGuards({ kept: start, candles, interval: feed.interval, trades, balance });
  return {
    snapshot,
    position,
    foreign: snapshot.position !== null && !position && !unsettled,
    unsettled,
    trades,
    balance,
    equity: balance + (position?.unrealised ?? 0),
    kept,
    fillsSeenTo: unsettled ? bot.fillsSeenTo : vanished ? now : readFrom(trades, kept.markedTo),
  };
}

interface Words extends Pick<Parts, 'desk' | 'clock' | 'bot'> {
  read: readonly LedgerTrade[];
  held: AccountSnapshot['position'];
  /** ms of the feed's time, and the clock's time of such a moment. */
  now: number;
  clockAt: (time: number) => number;
}

/**
 * The bot's position, from what executions and position say. One of the two may come late, so that for a while nothing is
 * made of it when they do not fit; then the position counts.
 */
async function reconcile(words: Words): Promise<Pick<View, 'position' | 'unsettled'> & { vanished?: LedgerTrade }> {
  const { read, held, bot, now, clockAt } = words;
  const last = read.at(-1);
  if (last?.closedAt === null) {
    const openedClock = clockAt(last.openedAt);
    if (held?.side === last.side) return { position: keptPosition(last, held, openedClock), unsettled: false };
    const before = positionOf(bot);
    const known = before?.entryId === last.entryId ? before : await orderedPosition(words, last, openedClock);
    const unsettledSince = known.unsettledSince ?? now;
    if (now - unsettledSince >= SETTLING) return { position: null, unsettled: false, vanished: last };
    return { position: { ...known, unsettledSince }, unsettled: true };
  }
  if (!held) return { position: null, unsettled: false };
  const late = await lateEntry(words, held);
  if (late) return { position: late, unsettled: true };
  return { position: null, unsettled: last !== undefined && now - (last.closedAt ?? 0) < SETTLING };
}

/** A position as its order asked for it. */
async function orderedPosition({ desk, bot }: Words, { entryId, side, left, entryPrice, openedAt }: LedgerTrade, openedClock: number) {
  const [entry] = await desk.orders({ botId: bot.id, clientIds: [entryId] });
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

/** A position that the bot's last order just opened, while nothing is told yet of how. */
async function lateEntry({ desk, clock, bot, read, now }: Words, held: ExchangePosition): Promise<KeptPosition | undefined> {
  const entry = await desk.lastEntry(bot.id);
  if (!entry || clock() - entry.updatedAt.getTime() >= SETTLING) return undefined;
  if ((entry.direction === 'buy') !== (held.side === 'long') || read.some(({ entryId }) => entryId === entry.clientId)) return undefined;
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

/** What of the exchange's position is the bot's: not what others added to it. */
function keptPosition(open: LedgerTrade, held: ExchangePosition, openedClock: number): KeptPosition {
  const { side, stop, target, liquidationPrice } = held;
  const { entryId, openedAt, left } = open;
  const shared = held.quantity > left;
  const entryPrice = shared ? open.entryPrice : held.entryPrice;
  const quantity = shared ? left : held.quantity;
  const unrealised = shared ? unrealisedAt({ side, quantity, entryPrice }, held.markPrice) : held.unrealised;
  return { side, quantity, entryPrice, stop, target, liquidationPrice, unrealised, entryId, openedAt, openedClock };
}

const closedNow = (trade: LedgerTrade, at: number, price: number): LedgerTrade => ({
  ...trade,
  left: 0,
  closedAt: at,
  exitPrice: price,
  realised: trade.realised + unrealisedAt({ ...trade, quantity: trade.left }, price),
  reason: 'by hand',
});
