import type { Candle } from '#domain/market/candles.ts';
import { afterMark, afterTrade, type Guards, NO_GUARDS } from '#server/strategy/guards.ts';
import { unrealisedAt } from '../store/position.ts';
import { type LedgerTrade, pnlOf } from './ledger.ts';

/** What stands in `bots.guards`. */
export interface KeptGuards {
  guards: Guards;
  /** Up to here everything was heard, ms of the feed's time: the end of a candle. */
  markedTo: number;
}

/** `{}` is a bot that was never marked; it begins at `now`. */
export const readGuards = (kept: unknown, now: number): KeptGuards =>
  typeof kept === 'object' && kept !== null && 'markedTo' in kept ? (kept as KeptGuards) : { guards: NO_GUARDS, markedTo: now };

interface Passage {
  kept: KeptGuards;
  /** Closed candles, oldest first; those up to `markedTo` are passed over. */
  candles: readonly Candle[];
  /** ms. */
  interval: number;
  /** All that were open at `markedTo` or began since. */
  trades: readonly LedgerTrade[];
  /** USD: the bot's money after all of these, without what is unrealised. */
  balance: number;
}

/**
 * Tells the guards what happened since they last heard, candle by candle: trades that ended, then the equity at the
 * close. It follows from fills and candles alone, so that it does not matter how often, or after which crash, it is done.
 */
export function passGuards({ kept, candles, interval, trades, balance }: Passage): KeptGuards {
  const payments = trades.flatMap((trade) => trade.payments);
  /** USD, just before `at`. */
  const balanceAt = (at: number) => payments.reduce((sum, payment) => (payment.at >= at ? sum - payment.amount : sum), balance);
  let { guards, markedTo } = kept;
  for (const { time, close } of candles) {
    const end = time + interval;
    if (end <= markedTo) continue;
    for (const trade of trades) {
      const at = trade.closedAt;
      if (at !== null && at >= markedTo && at < end) guards = afterTrade(guards, { pnl: pnlOf(trade), at, equity: balanceAt(at + 1) });
    }
    const open = trades.find((trade) => trade.openedAt < end && (trade.closedAt === null || trade.closedAt >= end));
    guards = afterMark(guards, { equity: balanceAt(end) + (open ? unrealisedAt(open, close) : 0), at: end });
    markedTo = end;
  }
  return { guards, markedTo };
}

/** From where fills have to be read again next time: the beginning of what was open at `markedTo`. */
export const readFrom = (trades: readonly LedgerTrade[], markedTo: number): number =>
  trades.reduce((from, { openedAt, closedAt }) => (closedAt === null || closedAt >= markedTo ? Math.min(from, openedAt) : from), markedTo);
