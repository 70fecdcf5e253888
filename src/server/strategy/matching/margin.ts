import type { Holding, Rules } from './types.ts';
import { charged } from './units.ts';

type Money = number;

/** Returns the margin of a new position. */
export const initialMargin = (value: Money, { leverage }: Rules): Money => charged(value / leverage);

/** Returns the free money that an entry needs: margin, its fee, and the fee of the exit. */
export const entryNeed = (value: Money, fee: number, rules: Rules): Money =>
  initialMargin(value, rules) + charged(value * fee) + charged(value * rules.takerFee);

/** Returns a position's profit at a price. It never loses more than its margin. */
export const unrealised = (position: Holding, tick: number): Money =>
  Math.max(profit(position, tick, position.steps, position.cost), -position.margin);

/** Returns the profit of a part that cost `cost`. */
export const profit = ({ side }: Pick<Holding, 'side'>, tick: number, steps: number, cost: Money): Money =>
  side === 'long' ? tick * steps - cost : cost - tick * steps;

/** Returns the liquidation price, where only the maintenance margin is left; 0 or less if there is none. */
export function liquidationTick({ side, steps, cost, margin }: Holding, { maintenance }: Rules): number {
  const kept = cost * maintenance;
  return side === 'long' ? Math.ceil((cost - margin + kept) / steps) : Math.floor((cost + margin - kept) / steps);
}
