import { and, eq, isNotNull, or, sql } from 'drizzle-orm';
import { TAKER_FEE } from '#domain/bots/position-rules.ts';
import type { Candle } from '#domain/market/candles.ts';
import type { Db } from '#server/db/open.ts';
import { bots } from '#server/db/schema/bots.ts';
import type { Exchange } from '#server/ports/exchange/exchange.ts';
import { NO_GUARDS } from '#server/strategy/guards.ts';
import type { Signal } from '#server/strategy/signal.ts';
import { decide } from '#server/strategy/trader.ts';
import type { BotRow } from '../store/bots.ts';
import { type KeptPosition, positionOf } from '../store/position.ts';

/** A bot in ERROR enters no position, and still closes the one it has. */
export const FOLLOWS_SIGNALS: readonly BotRow['status'][] = ['RUNNING', 'ERROR'];

/** Whether a candle touched the stop, target or liquidation price, which may have closed the position. */
const isTouched = ({ stop, target, liquidationPrice }: KeptPosition, { low, high }: Candle): boolean =>
  [stop, target, liquidationPrice].some((price) => price !== null && price >= low && price <= high);

/**
 * Returns the bots that must handle a candle: those that may enter, and those whose position it may have closed or the strategy
 * closes. Load grows with orders, not with bots times candles.
 */
export async function findAffectedBots(db: Db, signal: Signal, { feed, terms }: Pick<Exchange, 'feed' | 'terms'>): Promise<string[]> {
  const { candle, entry } = signal;
  const mayEnter = and(eq(bots.status, 'RUNNING'), sql`${bots.pausedBy} is distinct from 'user'`);
  const rows = await db
    .select({ id: bots.id, status: bots.status, position: bots.position, leverage: bots.leverage, handled: bots.handledCandle })
    .from(bots)
    .where(entry ? or(isNotNull(bots.position), mayEnter) : isNotNull(bots.position));
  const at = candle.time + feed.interval;
  const current = await terms();
  return rows
    .filter(({ status, leverage, handled, ...row }) => {
      if (handled === candle.time) return false;
      const position = positionOf(row);
      if (!position) return true;
      if (isTouched(position, candle)) return true;
      if (!FOLLOWS_SIGNALS.includes(status)) return false;
      const situation = { position, equity: 0, balance: 0, guards: NO_GUARDS, leverage, terms: current, takerFee: TAKER_FEE, at };
      return decide(signal, situation).kind === 'close';
    })
    .map(({ id }) => id);
}
