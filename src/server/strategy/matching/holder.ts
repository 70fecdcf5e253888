import { REJECTS } from './codes.ts';
import { entryNeed, initialMargin, profit, unrealised } from './margin.ts';
import { type Intent, unfilled } from './orders.ts';
import type { BookFill, BookState, BookStep, Holding, OrderResult, Resting } from './types.ts';
import { charged, type Units } from './units.ts';

/** Where and for which fee something is carried out, in ticks and as a fraction. */
interface Terms {
  tick: number;
  fee: number;
  at: number;
}

/**
 * What happens to the money and the position of an account. It changes the state it is given and notes in a step what it
 * did.
 *
 * Every fee is a taker's but that of limit orders that had rested: attached targets are market orders, as on Bybit.
 * Funding is taken from what is free, then from the margin. A liquidation takes the whole margin and nothing else,
 * however far price has gone; no other way out of a position loses more than that either.
 */
export function createHolder(state: BookState, units: Units) {
  /** What no position and no resting order holds. */
  const free = (): number => state.balance - (state.position?.margin ?? 0) - state.orders.reduce((sum, order) => sum + reserved(order), 0);

  function reserved({ type, direction, steps, level, reduceOnly }: Resting): number {
    if (type !== 'limit' || reduceOnly) return 0;
    return entryNeed(opening(direction, steps) * level, state.rules.makerFee, state.rules);
  }

  /** The position that an order of this direction makes smaller. */
  const against = (direction: Intent['direction']): Holding | undefined =>
    state.position && (state.position.side === 'long') !== (direction === 'buy') ? state.position : undefined;

  /** How much of an order would close what is held, and how much open something. */
  const closing = (direction: Intent['direction'], steps: number): number => Math.min(steps, against(direction)?.steps ?? 0);
  const opening = (direction: Intent['direction'], steps: number): number => steps - closing(direction, steps);

  /** Closes a part or all of the position. Returns the fee. */
  function close(step: BookStep, steps: number, { tick, fee, at }: Terms, why: Pick<BookFill, 'clientId' | 'reason'>): number {
    const position = state.position;
    if (!position) throw new Error('There is nothing to close.');
    const all = steps === position.steps;
    const cost = all ? position.cost : Math.round((position.cost / position.steps) * steps);
    const margin = all ? position.margin : Math.floor((position.margin / position.steps) * steps);
    const realised = Math.max(profit(position, tick, steps, cost), -margin);
    // A loss never reaches beyond the margin, and neither does the fee on top of one where nothing else is left.
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
    if (all) cancelReducing(step);
    return charge;
  }

  /** Orders that only make smaller go with the position. */
  function cancelReducing(step: BookStep): void {
    const idle = state.orders.filter(({ reduceOnly }) => reduceOnly);
    if (idle.length === 0) return;
    state.orders = state.orders.filter(({ reduceOnly }) => !reduceOnly);
    step.orders.push(...idle.map(({ clientId }) => unfilled(clientId, 'cancelled')));
  }

  /** Opens a position or makes it larger. Returns the fee. */
  function open(step: BookStep, { clientId, direction, stop, target }: Intent, steps: number, { tick, fee, at }: Terms): number {
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

  return {
    against,

    /** Whether what an order opens can be paid, counting what it closes at the same price. */
    affords({ direction, steps, reduceOnly }: Intent, { tick, fee }: Omit<Terms, 'at'>): boolean {
      const opens = reduceOnly ? 0 : opening(direction, steps);
      if (opens === 0) return true;
      const held = against(direction);
      const gained = held ? held.margin + unrealised(held, tick) - charged(tick * closing(direction, steps) * fee) : 0;
      return entryNeed(opens * tick, fee, state.rules) <= free() + gained;
    },

    /** Carries an order out; what would open more than is affordable is left out. */
    execute(step: BookStep, intent: Intent, terms: Terms): OrderResult {
      const { clientId, direction } = intent;
      const { tick, fee } = terms;
      const wanted = intent.reduceOnly ? closing(direction, intent.steps) : intent.steps;
      const closed = closing(direction, wanted);
      const opened = wanted - closed;
      let fees = closed === 0 ? 0 : close(step, closed, terms, { clientId, reason: 'order' });
      const affordable = opened > 0 && entryNeed(opened * tick, fee, state.rules) <= free();
      if (affordable) fees += open(step, intent, opened, terms);
      const filled = closed + (affordable ? opened : 0);
      return {
        clientId,
        state: filled === wanted && filled > 0 ? 'filled' : 'cancelled',
        filled: units.quantity(filled),
        price: filled > 0 ? units.price(tick) : null,
        fees: units.usd(fees),
        ...(opened > 0 && !affordable && { reject: REJECTS.funds }),
      };
    },

    /** The exchange ends the whole position. */
    end(step: BookStep, reason: 'liquidation' | 'stop' | 'target', terms: Terms): void {
      if (state.position) close(step, state.position.steps, terms, { clientId: null, reason });
    },

    payFunding(step: BookStep, rate: number, tick: number, at: number): void {
      const position = state.position;
      if (!position || rate === 0) return;
      const due = Math.round(tick * position.steps * rate) * (position.side === 'long' ? 1 : -1);
      const paid = Math.min(due, state.balance);
      const fromMargin = Math.min(Math.max(paid - Math.max(free(), 0), 0), position.margin);
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
    },
  };
}
