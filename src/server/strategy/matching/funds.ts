import { entryNeed, unrealised } from './margin.ts';
import type { Intent } from './orders.ts';
import type { BookState, Holding, Resting } from './types.ts';
import { charged } from './units.ts';

/** Returns the money that neither the position nor resting orders reserve. */
export const free = (state: BookState): number =>
  state.balance - (state.position?.margin ?? 0) - state.orders.reduce((sum, order) => sum + reserved(state, order), 0);

function reserved(state: BookState, { type, direction, steps, level, reduceOnly }: Resting): number {
  if (type !== 'limit' || reduceOnly) return 0;
  return entryNeed(opening(state, direction, steps) * level, state.rules.makerFee, state.rules);
}

/** Returns the position that an order of this direction reduces. */
export const against = (state: BookState, direction: Intent['direction']): Holding | undefined =>
  state.position && (state.position.side === 'long') !== (direction === 'buy') ? state.position : undefined;

/** Returns how much of an order closes the position. */
export const closing = (state: BookState, direction: Intent['direction'], steps: number): number =>
  Math.min(steps, against(state, direction)?.steps ?? 0);

/** Returns how much of an order opens a position. */
const opening = (state: BookState, direction: Intent['direction'], steps: number): number => steps - closing(state, direction, steps);

/** Whether there is money for what an order opens, after what it closes at the same price. */
export function affords(state: BookState, { direction, steps, reduceOnly }: Intent, { tick, fee }: { tick: number; fee: number }): boolean {
  const opens = reduceOnly ? 0 : opening(state, direction, steps);
  if (opens === 0) return true;
  const held = against(state, direction);
  const gained = held ? held.margin + unrealised(held, tick) - charged(tick * closing(state, direction, steps) * fee) : 0;
  return entryNeed(opens * tick, fee, state.rules) <= free(state) + gained;
}
