import { SECOND } from '#domain/clock.ts';
import type { View } from '#server/bots/positions/reconcile.ts';
import type { BotRow } from '#server/bots/store/bots.ts';
import type { Exchange } from '#server/ports/exchange/exchange.ts';
import { guardReason } from '#server/strategy/guards.ts';
import type { Signal } from '#server/strategy/signal.ts';
import { type Decision, decide, type Entering, spoiledAt } from '#server/strategy/trader.ts';

/** How late a signal may be acted on at least, ms of the clock: a fast replay has moved on when its candle is handled. */
const LATE = 10 * SECOND;

/** What a bot does about a signal now. `at` is when the signal's candle closed, ms of the feed's time. */
export function decideNow(signal: Signal, view: View, row: BotRow, { feed, steps }: Exchange): Decision {
  return decide(signal, {
    position: view.position,
    equity: view.equity,
    balance: view.balance,
    guards: view.kept.guards,
    leverage: row.leverage,
    steps,
    at: signal.candle.time + feed.interval,
  });
}

/** Why an entry is not taken although the strategy wants it; null where it is. Price is that of now, USD. */
export function spoiled(signal: Signal, decision: Entering, price: number, leverage: number, { feed }: Exchange): string | null {
  const late = feed.now() - (signal.candle.time + feed.interval);
  if (late > Math.max(feed.interval, LATE * (feed.speed ?? 1))) return 'The signal came too late';
  return spoiledAt(price, signal, decision, leverage);
}

export type Pause = Pick<BotRow, 'pausedBy' | 'pausedReason'>;

/** Why nothing new is opened. The user's own pause stands before all others. */
export function pauseOf({ pausedBy, pausedReason }: BotRow, view: View, { access, at }: { access: string | null; at: number }): Pause {
  if (pausedBy === 'user') return { pausedBy, pausedReason };
  if (access !== null) return { pausedBy: 'access', pausedReason: access };
  const guard = guardReason(view.kept.guards, at);
  return guard === null ? { pausedBy: null, pausedReason: null } : { pausedBy: 'guard', pausedReason: guard };
}
