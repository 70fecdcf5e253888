import type { Clock } from '../../../domain/clock';
import type { Db } from '../../db/open';
import type { AccountSnapshot, Exchange, ExchangeAccount } from '../../ports/exchange/exchange';
import { clockTime } from '../feed-time';
import { type KeptPosition, unrealisedAt } from '../position';
import { type BotRow, earned } from '../store';
import { type KeptGuards, passGuards, readFrom, readGuards } from './guarding';
import { findOrders } from './journal';
import { type LedgerTrade, pnlOf, readTrades } from './ledger';

/** Candles that guards hear at most of a time when nobody looked. */
const MOST_CANDLES = 5000;

/** A bot as the exchange knows it. */
export interface View {
  snapshot: AccountSnapshot;
  /** The position that the bot opened; null without one. */
  position: KeptPosition | null;
  /** A position is there that the bot did not open. */
  foreign: boolean;
  trades: readonly LedgerTrade[];
  /** USD: the bot's money without and with what is unrealised. */
  balance: number;
  equity: number;
  kept: KeptGuards;
  /** From where fills are read next time. */
  fillsSeenTo: number;
}

interface Parts {
  db: Db;
  clock: Clock;
  exchange: Exchange;
  bot: BotRow;
  account: ExchangeAccount;
}

/** Asks the exchange, which is right in all that it says. Writes nothing. */
export async function look({ db, clock, exchange: { feed }, bot, account }: Parts): Promise<View> {
  const fills = await account.fills(bot.fillsSeenTo);
  const snapshot = await account.snapshot();
  const ids = [...new Set(fills.flatMap(({ clientId }) => clientId ?? []))];
  const orders = new Map((await findOrders(db, bot.id, ids)).map((order) => [order.clientId, order]));
  const read = readTrades(fills, (clientId) => orders.get(clientId));
  const last = read.at(-1);
  // Gone without a fill that says how: what the exchange holds counts, at the price of now.
  const vanished = last?.closedAt === null && snapshot.position === null ? last : undefined;
  const trades = vanished ? [...read.slice(0, -1), closedNow(vanished, feed.now(), (await feed.forming()).close)] : read;
  const open = trades.find(({ closedAt }) => closedAt === null);
  const before = await earned(
    db,
    bot.id,
    trades.map(({ entryId }) => entryId),
  );
  const balance = trades.reduce((sum, trade) => sum + pnlOf(trade), bot.positionSize + before);
  const held = snapshot.position;
  const position = open && held ? keptPosition(open, held, clockTime(feed, clock, open.openedAt)) : null;

  const start = readGuards(bot.guards, feed.now());
  const missed = Math.min(MOST_CANDLES, Math.max(1, Math.ceil((feed.now() - start.markedTo) / feed.interval) + 1));
  const candles = await feed.closed(missed);
  const kept = passGuards({ kept: start, candles, interval: feed.interval, trades, balance });
  return {
    snapshot,
    position,
    foreign: held !== null && !open,
    trades,
    balance,
    equity: balance + (position?.unrealised ?? 0),
    kept,
    fillsSeenTo: vanished ? feed.now() : readFrom(trades, kept.markedTo),
  };
}

function keptPosition(open: LedgerTrade, held: NonNullable<AccountSnapshot['position']>, openedClock: number): KeptPosition {
  const { side, quantity, entryPrice, stop, target, liquidationPrice, unrealised } = held;
  const { entryId, openedAt } = open;
  return { side, quantity, entryPrice, stop, target, liquidationPrice, unrealised, entryId, openedAt, openedClock };
}

const closedNow = (trade: LedgerTrade, at: number, price: number): LedgerTrade => ({
  ...trade,
  closedAt: at,
  exitPrice: price,
  realised: trade.realised + unrealisedAt(trade, price),
  reason: 'by hand',
});
