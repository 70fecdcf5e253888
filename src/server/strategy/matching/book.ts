import { REJECTS } from './codes';
import { entryNeed, initialMargin, liquidationTick, profit, unrealised } from './margin';
import { firstTrigger, type Trigger, worstWay } from './triggers';
import type { Book, BookFill, BookOrder, BookState, BookStep, Holding, OrderResult, Resting, Rules } from './types';
import { charged, unitsOf } from './units';

/** An account without position or orders. `balance` in USD. */
export const newBook = ({ balance, rules }: { balance: number; rules: Rules }): BookState => ({
  rules,
  balance: unitsOf(rules).money(balance),
  position: null,
  orders: [],
  touchedAt: 0,
});

/** What of an order is worth carrying out, whether it came now or was resting. */
type Intent = Pick<Resting, 'clientId' | 'direction' | 'steps' | 'reduceOnly' | 'stop' | 'target'>;

/**
 * An account that goes on from a kept state, which it does not change.
 *
 * Every fee is a taker's but that of limit orders that had rested: attached targets are market orders, as on Bybit.
 * Funding is taken from what is free, then from the margin. A liquidation takes the whole margin and nothing else,
 * however far price has gone; no other way out of a position loses more than that either.
 */
export function createBook(kept: BookState): Book {
  // What lies inside is replaced, never changed, so the outside is all there is to copy.
  const copied = (of: BookState): BookState => ({ ...of, orders: [...of.orders] });
  const state = copied(kept);
  const units = unitsOf(state.rules);

  /** What no position and no resting order holds. */
  const free = (): number => state.balance - (state.position?.margin ?? 0) - state.orders.reduce((sum, order) => sum + reserved(order), 0);

  function reserved({ type, direction, steps, level, reduceOnly }: Resting): number {
    if (type !== 'limit' || reduceOnly) return 0;
    return entryNeed(opening(direction, steps) * level, state.rules.makerFee, state.rules);
  }

  const against = (direction: Intent['direction']): Holding | undefined =>
    state.position && (state.position.side === 'long') !== (direction === 'buy') ? state.position : undefined;

  /** How much of an order would close what is held, and how much open something. */
  const closing = (direction: Intent['direction'], steps: number): number => Math.min(steps, against(direction)?.steps ?? 0);
  const opening = (direction: Intent['direction'], steps: number): number => steps - closing(direction, steps);

  /** Worse by the slippage. */
  const slipped = (direction: Intent['direction'], tick: number): number =>
    direction === 'buy' ? charged(tick * (1 + state.rules.slippage)) : -charged(-tick * (1 - state.rules.slippage));

  function close(
    step: BookStep,
    { steps, tick, fee, ...facts }: { steps: number; tick: number; fee: number } & Pick<BookFill, 'at' | 'clientId' | 'reason'>,
  ): number {
    const position = state.position;
    if (!position) throw new Error('There is nothing to close.');
    const all = steps === position.steps;
    const cost = all ? position.cost : Math.round((position.cost / position.steps) * steps);
    const margin = all ? position.margin : Math.floor((position.margin / position.steps) * steps);
    const realised = Math.max(profit(position, tick, steps, cost), -margin);
    // A loss never reaches beyond the margin, and neither does the fee on top of one where nothing else is left.
    const charge =
      facts.reason === 'liquidation'
        ? margin + realised
        : Math.min(charged(tick * steps * fee), state.balance - position.margin + margin + realised);
    state.balance += realised - charge;
    state.position = all
      ? null
      : { ...position, steps: position.steps - steps, cost: position.cost - cost, margin: position.margin - margin };
    step.fills.push({
      ...facts,
      direction: position.side === 'long' ? 'sell' : 'buy',
      quantity: units.quantity(steps),
      price: units.price(tick),
      fee: units.usd(charge),
      realised: units.usd(realised),
    });
    if (all) cancelWhere(step, ({ reduceOnly }) => reduceOnly);
    return charge;
  }

  function open(
    step: BookStep,
    { clientId, direction, stop, target }: Intent,
    steps: number,
    tick: number,
    fee: number,
    at: number,
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
    step.fills.push({
      at,
      clientId,
      reason: 'order',
      direction,
      quantity: units.quantity(steps),
      price: units.price(tick),
      fee: units.usd(charge),
      realised: 0,
    });
    return charge;
  }

  /** Carries an order out at a price; what would open more than is affordable is left out. */
  function execute(step: BookStep, intent: Intent, tick: number, fee: number, at: number): OrderResult {
    const { clientId, direction } = intent;
    const wanted = intent.reduceOnly ? closing(direction, intent.steps) : intent.steps;
    const closed = closing(direction, wanted);
    const opened = wanted - closed;
    let fees = closed === 0 ? 0 : close(step, { steps: closed, tick, fee, at, clientId, reason: 'order' });
    const affordable = opened > 0 && entryNeed(opened * tick, fee, state.rules) <= free();
    if (affordable) fees += open(step, intent, opened, tick, fee, at);
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

  function cancelWhere(step: BookStep, which: (order: Resting) => boolean): void {
    for (const order of state.orders.filter(which)) step.orders.push(withdrawn(order));
    state.orders = state.orders.filter((order) => !which(order));
  }

  function fire(step: BookStep, trigger: Trigger, at: number): void {
    const { takerFee, makerFee } = state.rules;
    const position = state.position;
    if (trigger.kind === 'order') {
      const { order } = trigger;
      state.orders = state.orders.filter((other) => other !== order);
      const tick = order.type === 'limit' ? trigger.at : slipped(order.direction, trigger.at);
      step.orders.push(execute(step, order, tick, order.type === 'limit' ? makerFee : takerFee, at));
    } else if (position) {
      const tick = trigger.kind === 'stop' ? slipped(position.side === 'long' ? 'sell' : 'buy', trigger.at) : trigger.at;
      close(step, { steps: position.steps, tick, fee: takerFee, at, clientId: null, reason: trigger.kind });
    }
  }

  function payFunding(step: BookStep, rate: number, tick: number, at: number): void {
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
  }

  /** The order in units, or why it is refused. */
  function understand(order: BookOrder): { intent: Intent; level: number | null } | number {
    const steps = units.toSteps(order.quantity);
    const level = levelOf(order);
    const stop = order.stop === undefined ? null : units.toTicks(order.stop);
    const target = order.target === undefined ? null : units.toTicks(order.target);
    if (state.orders.some(({ clientId }) => clientId === order.clientId)) return REJECTS.duplicate;
    if (steps === undefined || level === undefined || stop === undefined || target === undefined) return REJECTS.parameter;
    const { clientId, direction, reduceOnly = false } = order;
    if (reduceOnly && !against(direction)) return REJECTS.reduceOnly;
    return { intent: { clientId, direction, steps, reduceOnly, stop, target }, level };
  }

  function levelOf({ type, price, trigger }: BookOrder): number | null | undefined {
    if (type === 'market') return null;
    const given = type === 'limit' ? price : trigger;
    return given === undefined ? undefined : units.toTicks(given);
  }

  /** Closes what would be liquidated at this price before anything else is done at it. */
  function settle(step: BookStep, tick: number, at: number): void {
    const first =
      state.position && firstTrigger({ ...state, position: { ...state.position, stop: null, target: null }, orders: [] }, tick, tick);
    if (first) fire(step, first, at);
  }

  return {
    submit(order, price, at) {
      const step: BookStep = { fills: [], orders: [] };
      state.touchedAt = at;
      const refused = (reject: number) => ({
        ...step,
        order: { clientId: order.clientId, state: 'rejected', filled: 0, price: null, fees: 0, reject } satisfies OrderResult,
      });
      const market = units.nearestTick(price);
      settle(step, market, at);
      const understood = understand(order);
      if (typeof understood === 'number') return refused(understood);
      const { intent, level } = understood;
      const buys = intent.direction === 'buy';
      const { takerFee, makerFee } = state.rules;
      const immediate = level === null || (order.type === 'limit' && (buys ? level >= market : level <= market));
      const tick = immediate ? slipped(intent.direction, market) : level;
      // A limit holds also for who takes from the book.
      const fillTick = immediate && level !== null ? (buys ? Math.min(tick, level) : Math.max(tick, level)) : tick;
      if (!protects(intent, fillTick)) return refused(REJECTS.parameter);
      if (order.type === 'stop-market' && (buys ? fillTick <= market : fillTick >= market))
        return refused(buys ? REJECTS.triggerBelow : REJECTS.triggerAbove);
      const opens = intent.reduceOnly ? 0 : opening(intent.direction, intent.steps);
      const fee = immediate ? takerFee : makerFee;
      if (opens > 0 && order.type !== 'stop-market' && !affords(intent, opens, fillTick, fee)) return refused(REJECTS.funds);
      if (immediate) return { ...step, order: execute(step, intent, fillTick, fee, at) };
      state.orders.push({ ...intent, type: order.type === 'limit' ? 'limit' : 'stop-market', level: fillTick });
      return { ...step, order: { clientId: order.clientId, state: 'open', filled: 0, price: null, fees: 0 } };
    },

    cancel(clientId) {
      const order = state.orders.find((candidate) => candidate.clientId === clientId);
      state.orders = state.orders.filter((candidate) => candidate !== order);
      return order && withdrawn(order);
    },

    protect(stop, target) {
      if (!state.position) return;
      const at = (price: number | null) => (price === null ? null : units.nearestTick(price));
      state.position = { ...state.position, stop: at(stop), target: at(target) };
    },

    setLeverage(leverage) {
      if (leverage === state.rules.leverage) return;
      if (state.position || state.orders.length > 0) throw new Error('Leverage is set while nothing is held and nothing rests.');
      state.rules = { ...state.rules, leverage };
    },

    advance({ time, open, high, low, close: last }, funding = 0) {
      const step: BookStep = { fills: [], orders: [] };
      if (!state.position && state.orders.length === 0) return step;
      let tick = units.nearestTick(open);
      payFunding(step, funding, tick, time);
      const way = worstWay(state, {
        open: tick,
        low: units.nearestTick(low),
        high: units.nearestTick(high),
        close: units.nearestTick(last),
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
      return (
        position && {
          side: position.side,
          quantity: units.quantity(position.steps),
          entryPrice: units.price(position.cost / position.steps),
          stop: position.stop === null ? null : units.price(position.stop),
          target: position.target === null ? null : units.price(position.target),
          liquidationPrice: Math.max(units.price(liquidationTick(position, rules)), 0),
          openedAt: position.openedAt,
        }
      );
    },

    openOrders: () =>
      state.orders.map(({ clientId, direction, type, steps, level, reduceOnly, stop, target }) => ({
        clientId,
        direction,
        type,
        quantity: units.quantity(steps),
        ...(type === 'limit' ? { price: units.price(level) } : { trigger: units.price(level) }),
        ...(reduceOnly && { reduceOnly }),
        ...(stop !== null && { stop: units.price(stop) }),
        ...(target !== null && { target: units.price(target) }),
      })),

    balance: () => units.usd(state.balance),
    equity: (mark) => units.usd(state.balance + (state.position ? unrealised(state.position, units.nearestTick(mark)) : 0)),
    state: () => copied(state),
  };

  /** Whether what it opens can be paid, counting what it closes at the same price. */
  function affords({ direction, steps }: Intent, opens: number, tick: number, fee: number): boolean {
    const held = against(direction);
    const gained = held ? held.margin + unrealised(held, tick) - charged(tick * closing(direction, steps) * fee) : 0;
    return entryNeed(opens * tick, fee, state.rules) <= free() + gained;
  }
}

const withdrawn = ({ clientId }: Resting): OrderResult => ({ clientId, state: 'cancelled', filled: 0, price: null, fees: 0 });

/** A stop lies on the losing side of the entry and a target on the winning one. */
function protects({ direction, stop, target }: Intent, tick: number): boolean {
  const sign = direction === 'buy' ? 1 : -1;
  return (stop === null || sign * (tick - stop) > 0) && (target === null || sign * (target - tick) > 0);
}
