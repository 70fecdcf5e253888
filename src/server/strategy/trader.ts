import { DAY } from '#domain/clock.ts';
import { type Guards, guardReason } from './guards.ts';
import { FUNDING_EVERY, USUAL_FUNDING } from './matching/perpetual.ts';
import type { Signal } from './signal.ts';
import { roundTo, sizePosition, stopIsInside, WAY_COST } from './sizing.ts';

/** How long a position is held at most, ms: a level that does not hold by then was none. */
const LONGEST_HOLD = 20 * DAY;

/** Of a position's value, what it costs at most: both ways at market, and the usual funding as long as it may be held. */
const MOST_COST = 2 * WAY_COST + (LONGEST_HOLD / FUNDING_EVERY) * USUAL_FUNDING;

/** How far the stop may be when an order is sent, in multiples of how far it was when its size was decided. */
const MOST_STRETCH = 2;

/** An open position, as far as a decision needs it. */
export interface Held {
  side: 'long' | 'short';
  /** ms of the feed's time. */
  openedAt: number;
}

export interface Situation {
  position: Held | null;
  /** USD: the bot's money, what is unrealised counted. */
  equity: number;
  /** USD, free for margin. */
  balance: number;
  guards: Guards;
  leverage: number;
  /** Of the exchange: USD and BTC. */
  steps: { quantity: number; price: number; least: number };
  /** Now, ms of the feed's time: when the signal's candle closed. */
  at: number;
}

export interface Entering {
  kind: 'enter';
  side: 'long' | 'short';
  quantity: number;
  stop: number;
  target: number;
}

export type Decision = { kind: 'hold'; why: string } | Entering | { kind: 'close'; reason: 'time' | 'trend' };

const hold = (why: string): Decision => ({ kind: 'hold', why });

/** What a bot does when a candle has closed. Backtest, paper and live ask here, and do nothing else. */
export function decide(signal: Signal, { position, at, guards, ...means }: Situation): Decision {
  if (position) return watch(signal, position, at);
  const guarded = guardReason(guards, at);
  if (guarded !== null) return hold(guarded);
  const { entry, candle } = signal;
  if (!entry) return hold('No setup');
  const { equity, balance, leverage, steps } = means;
  const stop = roundTo(entry.stop, steps.price);
  const target = roundTo(entry.target, steps.price);
  if (!stopIsInside(candle.close, stop, leverage)) return hold('The stop would lie too near to liquidation');
  if (Math.abs(target - candle.close) <= candle.close * MOST_COST) return hold('The target would not pay what the trade costs');
  const quantity = sizePosition({ equity, balance, leverage, price: candle.close, stop, step: steps.quantity, least: steps.least });
  if (quantity === 0) return hold('The position would be too small');
  return { kind: 'enter', side: entry.side, quantity, stop, target };
}

/** Why an entry is not taken at the price of now, USD, which went on since the candle closed; null where it is. */
export function spoiledAt(price: number, { candle }: Signal, { side, stop, target }: Entering, leverage: number): string | null {
  const inside = side === 'long' ? stop < price && price < target : target < price && price < stop;
  if (!inside) return 'Price has left the place between stop and target';
  if (Math.abs(price - stop) > MOST_STRETCH * Math.abs(candle.close - stop)) return 'Price has gone too far from the stop';
  return stopIsInside(price, stop, leverage) ? null : 'The stop would lie too near to liquidation';
}

function watch({ trend }: Signal, { side, openedAt }: Held, at: number): Decision {
  if (at - openedAt >= LONGEST_HOLD) return { kind: 'close', reason: 'time' };
  if (trend === (side === 'long' ? 'down' : 'up')) return { kind: 'close', reason: 'trend' };
  return hold('In position');
}
