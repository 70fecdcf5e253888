import { REJECTS } from './codes.ts';
import { closing, free } from './funds.ts';
import { entryNeed, initialMargin, profit } from './margin.ts';
import { type Intent, unfilled } from './orders.ts';
import type { BookFill, BookState, BookStep, OrderResult } from './types.ts';
import { charged, type Units } from './units.ts';

/**
 * The money and position of a book. The functions below change `state` and report in a step what they did.
 *
 * Only resting limit orders pay the maker fee: attached targets are market orders, as on Bybit. Funding comes from free money, then
 * from the margin. No exit, liquidations included, loses more than the margin.
 */
export interface Account {
  state: BookState;
  units: Units;
}

/** Price in ticks, fee as a fraction, and time of an execution. */
interface Terms {
  tick: number;
  fee: number;
  at: number;
}

/** Closes a part or all of the position. Returns the fee. */
function close(
  { state, units }: Account,
  step: BookStep,
  steps: number,
  { tick, fee, at }: Terms,
  why: Pick<BookFill, 'clientId' | 'reason'>,
): number {
  const position = state.position;
  if (!position) throw new Error('There is no position to close.');
  const all = steps === position.steps;
  const cost = all ? position.cost : Math.round((position.cost / position.steps) * steps);
  const margin = all ? position.margin : Math.floor((position.margin / position.steps) * steps);
  const realised = Math.max(profit(position, tick, steps, cost), -margin);
  // Loss and fee together never exceed the margin if nothing else is left.
  const left = state.balance - position.margin + margin + realised;
  const charge = why.reason === 'liquidation' ? margin + realised : Math.min(charged(tick * steps * fee), left);
  state.balance += realised - charge;
  state.position = all
    ? null
    : { ...position, steps: position.steps - steps, cost: position.cost - cost, margin: position.margin - margin };
  step.fills.push({
    at,
    ...why,
    direction: position.side === 'long' ? 'sell' : 'buy',
    quantity: units.quantity(steps),
    price: units.price(tick),
    fee: units.usd(charge),
    realised: units.usd(realised),
  });
  if (all) cancelReducing(state, step);
  return charge;
}

/** Cancels reduce-only orders, which end with the position. */
function cancelReducing(state: BookState, step: BookStep): void {
  const idle = state.orders.filter(({ reduceOnly }) => reduceOnly);
  if (idle.length === 0) return;
  state.orders = state.orders.filter(({ reduceOnly }) => !reduceOnly);
  step.orders.push(...idle.map(({ clientId }) => unfilled(clientId, 'cancelled')));
}

/** Opens or enlarges the position. Returns the fee. */
function open(
  { state, units }: Account,
  step: BookStep,
  { clientId, direction, stop, target }: Intent,
  steps: number,
  { tick, fee, at }: Terms,
): number {
  const value = tick * steps;
  const charge = charged(value * fee);
  const held = state.position;
  state.balance -= charge;
  state.position = {
    side: direction === 'buy' ? 'long' : 'short',
    steps: steps + (held?.steps ?? 0),
    cost: value + (held?.cost ?? 0),
    margin: initialMargin(value, state.rules) + (held?.margin ?? 0),
    stop: stop ?? held?.stop ?? null,
    target: target ?? held?.target ?? null,
    openedAt: held?.openedAt ?? at,
  };
  const quantity = units.quantity(steps);
  step.fills.push({ at, clientId, reason: 'order', direction, quantity, price: units.price(tick), fee: units.usd(charge), realised: 0 });
  return charge;
}

/** Executes an order, without the opening part if there is no money for it. */
export function executeOrder(account: Account, step: BookStep, intent: Intent, terms: Terms): OrderResult {
  const { state, units } = account;
  const { clientId, direction } = intent;
  const { tick, fee } = terms;
  const wanted = intent.reduceOnly ? closing(state, direction, intent.steps) : intent.steps;
  const closed = closing(state, direction, wanted);
  const opened = wanted - closed;
  let fees = closed === 0 ? 0 : close(account, step, closed, terms, { clientId, reason: 'order' });
  const affordable = opened > 0 && entryNeed(opened * tick, fee, state.rules) <= free(state);
  if (affordable) fees += open(account, step, intent, opened, terms);
  const filled = closed + (affordable ? opened : 0);
  return {
    clientId,
    state: filled === wanted && filled > 0 ? 'filled' : 'cancelled',
    filled: units.quantity(filled),
    price: filled > 0 ? units.price(tick) : null,
    fees: units.usd(fees),
    ...(opened > 0 && !affordable && { reject: REJECTS.funds }),
  };
}

/** Closes the whole position for the exchange. */
export function closePosition(account: Account, step: BookStep, reason: 'liquidation' | 'stop' | 'target' | 'feed', terms: Terms): void {
  const { position } = account.state;
  if (position) close(account, step, position.steps, terms, { clientId: null, reason });
}

export function payFunding({ state, units }: Account, step: BookStep, rate: number, tick: number, at: number): void {
  const position = state.position;
  if (!position || rate === 0) return;
  const due = Math.round(tick * position.steps * rate) * (position.side === 'long' ? 1 : -1);
  const paid = Math.min(due, state.balance);
  const fromMargin = Math.min(Math.max(paid - Math.max(free(state), 0), 0), position.margin);
  state.balance -= paid;
  state.position = { ...position, margin: position.margin - fromMargin };
  step.fills.push({
    at,
    clientId: null,
    reason: 'funding',
    direction: position.side === 'long' ? 'sell' : 'buy',
    quantity: units.quantity(position.steps),
    price: units.price(tick),
    fee: 0,
    realised: units.usd(0 - paid),
  });
}
