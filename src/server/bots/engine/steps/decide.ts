import { TAKER_FEE } from '#domain/bots/position-rules.ts';
import { SECOND } from '#domain/clock.ts';
import type { Observation } from '#server/bots/positions/reconcile.ts';
import type { BotRow } from '#server/bots/store/bots.ts';
import type { Exchange } from '#server/ports/exchange/exchange.ts';
import type { Signal } from '#server/strategy/signal.ts';
import { type Decision, decide, type Entering, spoiledAt } from '#server/strategy/trader.ts';

/** A signal is valid at least this long, ms of the server's clock: a fast replay has moved on before its candle is handled. */
const MIN_SIGNAL_AGE = 10 * SECOND;

/** Returns what a bot does about a signal. */
export async function decideNow(signal: Signal, view: Observation, row: BotRow, { feed, terms }: Exchange): Promise<Decision> {
  return decide(signal, {
    position: view.position,
    equity: view.equity,
    balance: view.balance,
    guards: view.guards.guards,
    leverage: row.leverage,
    terms: await terms(),
    takerFee: row.takerFee ?? TAKER_FEE,
    at: signal.candle.time + feed.interval,
  });
}

/**
 * Returns why the bot must skip an entry that the strategy decided; null if it may enter.
 * @param price the current price, USD.
 */
export async function skipReason(
  signal: Signal,
  decision: Entering,
  price: number,
  leverage: number,
  { feed, terms }: Exchange,
): Promise<string | null> {
  const age = feed.now() - (signal.candle.time + feed.interval);
  if (age > Math.max(feed.interval, MIN_SIGNAL_AGE * (feed.speed ?? 1))) return 'The signal came too late';
  return spoiledAt(price, signal, decision, { leverage, tiers: (await terms()).tiers });
}
