import type { Holding, Rules } from './types.ts';
import { charged } from './units.ts';

type Money = number;

/** What a new position's value needs as margin. */
export const initialMargin = (value: Money, { leverage }: Rules): Money => charged(value / leverage);

/** What has to be free to enter: margin, the fee now, and the fee of getting out. */
export const entryNeed = (value: Money, fee: number, rules: Rules): Money =>
  initialMargin(value, rules) + charged(value * fee) + charged(value * rules.takerFee);

/** What the position has won at a price, its margin being the most it can lose. */
export const unrealised = (position: Holding, tick: number): Money =>
  Math.max(profit(position, tick, position.steps, position.cost), -position.margin);

/** Of a part that was paid `cost`. */
export const profit = ({ side }: Pick<Holding, 'side'>, tick: number, steps: number, cost: Money): Money =>
  side === 'long' ? tick * steps - cost : cost - tick * steps;

/** Where no more than the maintenance margin would be left. 0 or less: nowhere. */
export function liquidationTick({ side, steps, cost, margin }: Holding, { maintenance }: Rules): number {
  const kept = cost * maintenance;
  return side === 'long' ? Math.ceil((cost - margin + kept) / steps) : Math.floor((cost + margin - kept) / steps);
}
