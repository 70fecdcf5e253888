import { type Account, closePosition, executeOrder } from './execution.ts';
import type { Intent } from './orders.ts';
import { firstTrigger, type Trigger } from './triggers.ts';
import type { BookState, BookStep } from './types.ts';
import { charged } from './units.ts';

/** Returns the price with slippage. */
export const slipped = ({ rules }: BookState, direction: Intent['direction'], tick: number): number =>
  direction === 'buy' ? charged(tick * (1 + rules.slippage)) : -charged(-tick * (1 - rules.slippage));

/** Executes what a trigger starts: a resting order, or an exit of the position. */
export function fire(account: Account, step: BookStep, trigger: Trigger, at: number): void {
  const { state } = account;
  const { takerFee, makerFee } = state.rules;
  if (trigger.kind === 'order') {
    const { order } = trigger;
    const limit = order.type === 'limit';
    state.orders = state.orders.filter((other) => other !== order);
    const tick = limit ? trigger.at : slipped(state, order.direction, trigger.at);
    step.orders.push(executeOrder(account, step, order, { tick, fee: limit ? makerFee : takerFee, at }));
  } else {
    const out = state.position?.side === 'long' ? 'sell' : 'buy';
    const tick = trigger.kind === 'stop' ? slipped(state, out, trigger.at) : trigger.at;
    closePosition(account, step, trigger.kind, { tick, fee: takerFee, at });
  }
}

/** Liquidates the position if this price does, before anything else happens. */
export function settle(account: Account, step: BookStep, tick: number, at: number): void {
  const { state } = account;
  const bare = state.position && { ...state, position: { ...state.position, stop: null, target: null }, orders: [] };
  const trigger = bare && firstTrigger(bare, tick, tick);
  if (trigger) fire(account, step, trigger, at);
}
