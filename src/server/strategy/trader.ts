import { LONGEST_HOLD, wayCost } from '#domain/bots/position-rules.ts';
import { type Guards, guardReason } from './guards.ts';
import { FUNDING_EVERY, USUAL_FUNDING } from './matching/perpetual.ts';
import type { Signal } from './signal.ts';
import { type MarketTerms, maintenanceOf, type RiskTier, roundTo, sizePosition, stopIsInside } from './sizing.ts';

/** Returns the largest cost of a trade, as a share of its value: entry and exit at market, and funding until the time limit. */
const mostCost = (takerFee: number): number => 2 * wayCost(takerFee) + (LONGEST_HOLD / FUNDING_EVERY) * USUAL_FUNDING;

/** Largest distance of the stop when the order is sent, in multiples of its distance when the size was decided. */
const MAX_STRETCH = 2;

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
  /** The account's fee of a market order, as a share of its value. */
  takerFee: number;
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
  const { equity, balance, leverage, terms, takerFee } = means;
  const stop = roundTo(entry.stop, terms.price);
  const target = roundTo(entry.target, terms.price);
  const { quantity: step, least } = terms;
  const quantity = sizePosition({ equity, balance, leverage, price: candle.close, stop, step, least, takerFee });
  const risk = riskAt(candle.close, { stop, quantity, leverage, tiers: terms.tiers });
  if (risk !== null) return hold(risk);
  if (Math.abs(target - candle.close) <= candle.close * mostCost(takerFee)) return hold("The target would not cover the trade's costs");
  if (quantity === 0) return hold('The position would be too small');
  return { kind: 'enter', side: entry.side, quantity, stop, target };
}

/** Returns why a position opened at a price (USD) could be liquidated before its stop; null if it could not. */
function riskAt(
  price: number,
  { stop, quantity, leverage, tiers }: { stop: number; quantity: number; leverage: number; tiers: readonly RiskTier[] },
): string | null {
  const maintenance = maintenanceOf(tiers, { quantity, price });
  if (maintenance === undefined) return 'The position would be larger than the exchange allows';
  return stopIsInside(price, stop, leverage, maintenance) ? null : 'The stop would be too close to liquidation';
}

/** Returns why an entry must be skipped at the current price (USD), which has moved since the candle closed; null if it may go ahead. */
export function spoiledAt(
  price: number,
  { candle }: Signal,
  { side, stop, target, quantity }: Entering,
  { leverage, tiers }: { leverage: number; tiers: readonly RiskTier[] },
): string | null {
  const inside = side === 'long' ? stop < price && price < target : target < price && price < stop;
  if (!inside) return 'The price is no longer between stop and target';
  if (Math.abs(price - stop) > MAX_STRETCH * Math.abs(candle.close - stop)) return 'The price is too far from the stop';
  return riskAt(price, { stop, quantity, leverage, tiers });
}

function watch({ trend }: Signal, { side, openedAt }: Held, at: number): Decision {
  if (at - openedAt >= LONGEST_HOLD) return { kind: 'close', reason: 'time' };
  if (trend === (side === 'long' ? 'down' : 'up')) return { kind: 'close', reason: 'trend' };
  return hold('In position');
}
