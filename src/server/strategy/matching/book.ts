import { REJECTS } from './codes.ts';
import { createHolder } from './holder.ts';
import { liquidationTick, unrealised } from './margin.ts';
import { type Intent, protects, toOrder, understand, unfilled } from './orders.ts';
import { firstTrigger, type Trigger, worstWay } from './triggers.ts';
import type { Book, BookState, BookStep, Rules } from './types.ts';
import { charged, unitsOf } from './units.ts';

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
  const holder = createHolder(state, units);

  /** Returns the price with slippage. */
  const slipped = (direction: Intent['direction'], tick: number): number =>
    direction === 'buy' ? charged(tick * (1 + state.rules.slippage)) : -charged(-tick * (1 - state.rules.slippage));

  function fire(step: BookStep, trigger: Trigger, at: number): void {
    const { takerFee, makerFee } = state.rules;
    if (trigger.kind === 'order') {
      const { order } = trigger;
      const limit = order.type === 'limit';
      state.orders = state.orders.filter((other) => other !== order);
      const tick = limit ? trigger.at : slipped(order.direction, trigger.at);
      step.orders.push(holder.execute(step, order, { tick, fee: limit ? makerFee : takerFee, at }));
    } else {
      const out = state.position?.side === 'long' ? 'sell' : 'buy';
      const tick = trigger.kind === 'stop' ? slipped(out, trigger.at) : trigger.at;
      holder.end(step, trigger.kind, { tick, fee: takerFee, at });
    }
  }

  /** Liquidates the position if this price does, before anything else happens. */
  function settle(step: BookStep, tick: number, at: number): void {
    const bare = state.position && { ...state, position: { ...state.position, stop: null, target: null }, orders: [] };
    const trigger = bare && firstTrigger(bare, tick, tick);
    if (trigger) fire(step, trigger, at);
  }

  return {
    submit(order, price, at) {
      const step: BookStep = { fills: [], orders: [] };
      const refused = (reject: number) => ({ ...step, order: unfilled(order.clientId, 'rejected', reject) });
      const market = units.nearestTick(price);
      state.touchedAt = at;
      settle(step, market, at);

      if (state.orders.some(({ clientId }) => clientId === order.clientId)) return refused(REJECTS.duplicate);
      const understood = understand(order, units);
      if (typeof understood === 'number') return refused(understood);
      const { intent, level } = understood;
      if (intent.reduceOnly && !holder.against(intent.direction)) return refused(REJECTS.reduceOnly);

      const buys = intent.direction === 'buy';
      const limit = order.type === 'limit';
      const taken = level === null || (limit && (buys ? level >= market : level <= market));
      const worse = slipped(intent.direction, market);
      // A limit also bounds the price of an order that fills at once.
      const tick = level === null ? worse : taken ? (buys ? Math.min(worse, level) : Math.max(worse, level)) : level;
      const fee = taken ? state.rules.takerFee : state.rules.makerFee;
      if (!protects(intent, tick)) return refused(REJECTS.parameter);
      const triggers = level !== null && !limit;
      if (triggers && (buys ? tick <= market : tick >= market)) return refused(buys ? REJECTS.triggerBelow : REJECTS.triggerAbove);
      // Funds of a trigger order are checked when it triggers.
      if (!triggers && !holder.affords(intent, { tick, fee })) return refused(REJECTS.funds);

      if (taken) return { ...step, order: holder.execute(step, intent, { tick, fee, at }) };
      state.orders.push({ ...intent, type: limit ? 'limit' : 'stop-market', level: tick });
      return { ...step, order: unfilled(order.clientId, 'open') };
    },

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
      holder.payFunding(step, funding, tick, time);
      const way = worstWay(state, {
        open: tick,
        low: units.nearestTick(low),
        high: units.nearestTick(high),
        close: units.nearestTick(close),
      });
      for (const next of [tick, ...way]) {
        for (let trigger = firstTrigger(state, tick, next); trigger; trigger = firstTrigger(state, tick, next)) {
          fire(step, trigger, Math.max(time, state.touchedAt));
          tick = trigger.at;
        }
        tick = next;
      }
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
