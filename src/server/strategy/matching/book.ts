import { type Account, closePosition, payFunding } from './execution.ts';
import { fire } from './fire.ts';
import { liquidationTick, unrealised } from './margin.ts';
import { toOrder, unfilled } from './orders.ts';
import { submitOrder } from './submit.ts';
import { firstTrigger, worstWay } from './triggers.ts';
import type { Book, BookState, BookStep, Rules } from './types.ts';
import { unitsOf } from './units.ts';

/** Returns the state of an account without position or orders. `balance` in USD. */
export const newBook = ({ balance, rules }: { balance: number; rules: Rules }): BookState => ({
  rules,
  balance: unitsOf(rules).money(balance),
  position: null,
  orders: [],
  touchedAt: 0,
});

/** Creates an account from a stored state, which it does not change. */
export function createBook(kept: BookState): Book {
  // Nested values are replaced, never changed, so a shallow copy is enough.
  const copied = (of: BookState): BookState => ({ ...of, orders: [...of.orders] });
  const state = copied(kept);
  const units = unitsOf(state.rules);
  const account: Account = { state, units };

  return {
    submit: (order, price, at) => submitOrder(account, order, price, at),

    cancel(clientId) {
      const order = state.orders.find((candidate) => candidate.clientId === clientId);
      state.orders = state.orders.filter((candidate) => candidate !== order);
      return order && unfilled(clientId, 'cancelled');
    },

    protect(stop, target) {
      if (!state.position) return;
      const at = (price: number | null) => (price === null ? null : units.nearestTick(price));
      state.position = { ...state.position, stop: at(stop), target: at(target) };
    },

    setLeverage(leverage) {
      if (leverage === state.rules.leverage) return;
      if (state.position || state.orders.length > 0) throw new Error('Leverage cannot change while a position or an order is open.');
      state.rules = { ...state.rules, leverage };
    },

    advance({ time, open, high, low, close }, funding = 0) {
      const step: BookStep = { fills: [], orders: [] };
      if (!state.position && state.orders.length === 0) return step;
      let tick = units.nearestTick(open);
      payFunding(account, step, funding, tick, time);
      const way = worstWay(state, {
        open: tick,
        low: units.nearestTick(low),
        high: units.nearestTick(high),
        close: units.nearestTick(close),
      });
      for (const next of [tick, ...way]) {
        for (let trigger = firstTrigger(state, tick, next); trigger; trigger = firstTrigger(state, tick, next)) {
          fire(account, step, trigger, Math.max(time, state.touchedAt));
          tick = trigger.at;
        }
        tick = next;
      }
      return step;
    },

    end(price, at) {
      const step: BookStep = { fills: [], orders: state.orders.map(({ clientId }) => unfilled(clientId, 'cancelled')) };
      state.orders = [];
      state.touchedAt = at;
      closePosition(account, step, 'feed', { tick: units.nearestTick(price), fee: state.rules.takerFee, at });
      return step;
    },

    position() {
      const { position, rules } = state;
      if (!position) return null;
      const price = (tick: number | null) => (tick === null ? null : units.price(tick));
      return {
        side: position.side,
        quantity: units.quantity(position.steps),
        entryPrice: units.price(position.cost / position.steps),
        stop: price(position.stop),
        target: price(position.target),
        liquidationPrice: Math.max(units.price(liquidationTick(position, rules)), 0),
        openedAt: position.openedAt,
      };
    },

    openOrders: () => state.orders.map((order) => toOrder(order, units)),
    balance: () => units.usd(state.balance),
    equity: (mark) => units.usd(state.balance + (state.position ? unrealised(state.position, units.nearestTick(mark)) : 0)),
    state: () => copied(state),
  };
}
