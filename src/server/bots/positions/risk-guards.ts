import type { Candle } from '#domain/market/candles.ts';
import { afterMark, afterTrade, type Guards, NO_GUARDS } from '#server/strategy/guards.ts';
import { unrealisedAt } from '../store/position.ts';
import { type LedgerTrade, pnlOf } from './ledger.ts';

/** The JSON in `bots.guards`. */
export interface KeptGuards {
  guards: Guards;
  /** End of the last candle that the guards have seen, ms of the feed's time. */
  markedTo: number;
}

/** Reads `bots.guards`. A new bot has `{}` there, and its guards start at `now`. */
export const readGuards = (kept: unknown, now: number): KeptGuards =>
  typeof kept === 'object' && kept !== null && 'markedTo' in kept ? (kept as KeptGuards) : { guards: NO_GUARDS, markedTo: now };

/** Moves guards to a feed whose time is `by` ms later and begins at `now`. The rest of a pause remains. */
export function moveGuards(kept: unknown, { by, now }: { by: number; now: number }): unknown {
  const { guards } = readGuards(kept, now);
  const pausedUntil = guards.pausedUntil > 0 ? guards.pausedUntil + by : 0;
  return guards === NO_GUARDS ? kept : { guards: { ...guards, day: null, pausedUntil }, markedTo: now };
}

interface Update {
  kept: KeptGuards;
  /** Closed candles, oldest first; those up to `markedTo` are skipped. */
  candles: readonly Candle[];
  /** ms. */
  interval: number;
  /** All trades that were open at `markedTo` or began later. */
  trades: readonly LedgerTrade[];
  /** The bot's money after all these trades, without the open position's profit; USD. */
  balance: number;
  /** The loss from the peak that pauses the bot, as a fraction. */
  drawdown: number;
}

/**
 * Updates the guards candle by candle: first with the trades that closed, then with the equity at the candle's close.
 * The result depends on fills and candles only, so a crash or a repeated call does not change it.
 */
export function updateGuards({ kept, candles, interval, trades, balance, drawdown }: Update): KeptGuards {
  const payments = trades.flatMap((trade) => trade.payments);
  /** Balance just before `at`, USD. */
  const balanceAt = (at: number) => payments.reduce((sum, payment) => (payment.at >= at ? sum - payment.amount : sum), balance);
  let { guards, markedTo } = kept;
  for (const { time, close } of candles) {
    const end = time + interval;
    if (end <= markedTo) continue;
    for (const trade of trades) {
      const at = trade.closedAt;
      if (at !== null && at >= markedTo && at < end) {
        const mark = { at, equity: balanceAt(at + 1) };
        guards = afterTrade(guards, { pnl: pnlOf(trade), ...mark }, drawdown);
      }
    }
    const open = trades.find((trade) => trade.openedAt < end && (trade.closedAt === null || trade.closedAt >= end));
    const equity = balanceAt(end) + (open ? unrealisedAt(open, close) : 0);
    guards = afterMark(guards, { equity, at: end }, drawdown);
    markedTo = end;
  }
  return { guards, markedTo };
}

/** Returns where the next cycle starts to read fills: at the opening of the oldest trade that was open at `markedTo`. */
export const readFrom = (trades: readonly LedgerTrade[], markedTo: number): number =>
  trades.reduce((from, { openedAt, closedAt }) => (closedAt === null || closedAt >= markedTo ? Math.min(from, openedAt) : from), markedTo);
