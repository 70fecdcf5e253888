import { DAY } from '#domain/clock.ts';
import { type Guards, guardReason } from './guards.ts';
import { FUNDING_EVERY, USUAL_FUNDING } from './matching/perpetual.ts';
import type { Signal } from './signal.ts';
import { type MarketTerms, roundTo, sizePosition, stopIsInside, WAY_COST } from './sizing.ts';

/** Longest time that a position stays open, ms. */
const LONGEST_HOLD = 20 * DAY;

/** Largest cost of a trade, as a share of its value: entry and exit at market, and funding until the time limit. */
const MOST_COST = 2 * WAY_COST + (LONGEST_HOLD / FUNDING_EVERY) * USUAL_FUNDING;

/** Largest distance of the stop when the order is sent, in multiples of its distance when the size was decided. */
const MOST_STRETCH = 2;

/** The parts of an open position that a decision needs. */
export interface Held {
  side: 'long' | 'short';
  /** ms of the feed's time. */
  openedAt: number;
}

export interface Situation {
  position: Held | null;
  /** The bot's money with the open position's profit, USD. */
  equity: number;
  /** Money available as margin, USD. */
  balance: number;
  guards: Guards;
  leverage: number;
  terms: MarketTerms;
  /** Current time, when the signal's candle closed; ms of the feed's time. */
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

/** Decides what a bot does when a candle has closed. Backtests, paper and live bots all use this decision. */
export function decide(signal: Signal, { position, at, guards, ...means }: Situation): Decision {
  if (position) return watch(signal, position, at);
  const guarded = guardReason(guards, at);
  if (guarded !== null) return hold(guarded);
  const { entry, candle } = signal;
  if (!entry) return hold('No setup');
  const { equity, balance, leverage, terms } = means;
  const stop = roundTo(entry.stop, terms.price);
  const target = roundTo(entry.target, terms.price);
  if (!stopIsInside(candle.close, stop, leverage, terms.maintenance)) return hold('The stop would be too close to liquidation');
  if (Math.abs(target - candle.close) <= candle.close * MOST_COST) return hold("The target would not cover the trade's costs");
  const quantity = sizePosition({ equity, balance, leverage, price: candle.close, stop, step: terms.quantity, least: terms.least });
  if (quantity === 0) return hold('The position would be too small');
  return { kind: 'enter', side: entry.side, quantity, stop, target };
}

/** Returns why an entry must be skipped at the current price (USD), which has moved since the candle closed; null if it may go ahead. */
export function spoiledAt(price: number, { candle }: Signal, { side, stop, target }: Entering, leverage: number): string | null {
  const inside = side === 'long' ? stop < price && price < target : target < price && price < stop;
  if (!inside) return 'The price is no longer between stop and target';
  if (Math.abs(price - stop) > MOST_STRETCH * Math.abs(candle.close - stop)) return 'The price is too far from the stop';
  return stopIsInside(price, stop, leverage) ? null : 'The stop would be too close to liquidation';
}

function watch({ trend }: Signal, { side, openedAt }: Held, at: number): Decision {
  if (at - openedAt >= LONGEST_HOLD) return { kind: 'close', reason: 'time' };
  if (trend === (side === 'long' ? 'down' : 'up')) return { kind: 'close', reason: 'trend' };
  return hold('In position');
}
