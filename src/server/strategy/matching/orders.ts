import { REJECTS } from './codes.ts';
import type { BookOrder, OrderResult, Resting } from './types.ts';
import type { Units } from './units.ts';

/** The executable part of a new or resting order, in units. */
export type Intent = Pick<Resting, 'clientId' | 'direction' | 'steps' | 'reduceOnly' | 'stop' | 'target'>;

/** Converts an order to units. `level` is the limit or trigger, null for a market order. Returns a number, a code, for a refusal. */
export function understand(order: BookOrder, units: Units): { intent: Intent; level: number | null } | number {
  const steps = units.toSteps(order.quantity);
  const level = levelOf(order, units);
  const stop = order.stop === undefined ? null : units.toTicks(order.stop);
  const target = order.target === undefined ? null : units.toTicks(order.target);
  if (steps === undefined || level === undefined || stop === undefined || target === undefined) return REJECTS.parameter;
  const { clientId, direction, reduceOnly = false } = order;
  return { intent: { clientId, direction, steps, reduceOnly, stop, target }, level };
}

function levelOf({ type, price, trigger }: BookOrder, units: Units): number | null | undefined {
  if (type === 'market') return null;
  const given = type === 'limit' ? price : trigger;
  return given === undefined ? undefined : units.toTicks(given);
}

/** Converts a resting order from units. */
export const toOrder = ({ clientId, direction, type, steps, level, reduceOnly, stop, target }: Resting, units: Units): BookOrder => ({
  clientId,
  direction,
  type,
  quantity: units.quantity(steps),
  ...(type === 'limit' ? { price: units.price(level) } : { trigger: units.price(level) }),
  ...(reduceOnly && { reduceOnly }),
  ...(stop !== null && { stop: units.price(stop) }),
  ...(target !== null && { target: units.price(target) }),
});

/** Whether the stop is on the losing side of the entry, and the target on the winning side. */
export function protects({ direction, stop, target }: Intent, tick: number): boolean {
  const sign = direction === 'buy' ? 1 : -1;
  return (stop === null || sign * (tick - stop) > 0) && (target === null || sign * (target - tick) > 0);
}

/** Returns the result of an order without fills. */
export const unfilled = (clientId: string, state: OrderResult['state'], reject?: number): OrderResult => ({
  clientId,
  state,
  filled: 0,
  price: null,
  fees: 0,
  ...(reject !== undefined && { reject }),
});
