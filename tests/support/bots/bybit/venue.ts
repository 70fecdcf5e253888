import { createBook, newBook } from '#server/strategy/matching/book.ts';
import { REJECTS } from '#server/strategy/matching/codes.ts';
import { PERPETUAL } from '#server/strategy/matching/perpetual.ts';
import type { Book, BookFill, BookOrder, BookStep, OrderResult, Stretch } from '#server/strategy/matching/types.ts';

/** A refusal with Bybit's error code. */
export class Refusal extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

type Status = 'New' | 'Untriggered' | 'Filled' | 'PartiallyFilledCanceled' | 'Cancelled' | 'Rejected';

export interface VenueOrder {
  orderId: string;
  /** Empty for orders placed by hand or by the exchange. */
  orderLinkId: string;
  direction: 'buy' | 'sell';
  type: BookOrder['type'];
  quantity: number;
  price: number | undefined;
  trigger: number | undefined;
  reduceOnly: boolean;
  stop: number | undefined;
  target: number | undefined;
  status: Status;
  /** Bybit's reason for a rejection after the acceptance. */
  rejectReason: string;
  /** Not yet in any list. */
  isHidden: boolean;
  /** When the list of recent orders lost it, ms; null while it is there. */
  clearedAt: number | null;
  filled: number;
  mean: number | null;
  fees: number;
  createdAt: number;
  updatedAt: number;
}

export interface Execution extends Omit<BookFill, 'reason'> {
  reason: BookFill['reason'] | 'adl';
  id: string;
  /** Sequence number. */
  seq: number;
  orderId: string;
  orderLinkId: string;
  closed: number;
  /** When the list of executions has it, ms. */
  listedAt: number;
}

/** What the exchange does within its documentation although callers hope for better. Tests switch each on. */
export interface Cruelty {
  /** Time from the acceptance of an order until it is executed or rejected, ms. */
  orderDelay: number;
  /** Accepted orders are in no list until they are executed or rejected. */
  hidesAccepted: boolean;
  /** Why accepted orders are rejected, such as `EC_NoImmediateQtyToFill`; null executes them. Needs an `orderDelay`. */
  rejectReason: string | null;
  /** Time from an execution until the list of executions has it, ms. Streams have it at once. */
  executionDelay: number;
  /** Orders are executed in two halves, the second of which is listed so much later, ms; 0 executes them at once. */
  secondHalfDelay: number;
}

/** None of it. */
export const KIND: Readonly<Cruelty> = { orderDelay: 0, hidesAccepted: false, rejectReason: null, executionDelay: 0, secondHalfDelay: 0 };

/** What an action changed, for the streams. */
export interface Changed {
  orders: readonly VenueOrder[];
  executions: readonly Execution[];
}

export type Placed = Omit<BookOrder, 'clientId'> & { orderLinkId?: string };

interface State {
  readonly book: Book;
  readonly orders: VenueOrder[];
  readonly executions: Execution[];
  /** Number of ids given out. */
  made: number;
  /** BTC; negative for a short position. */
  held: number;
  /** Part of the next market order that is filled, from 0 to 1. */
  nextPart: number;
  readonly cruelty: Cruelty;
  /** Accepted orders that are not executed yet, oldest first. */
  accepted: { due: number; order: VenueOrder; given: Placed }[];
  readonly listeners: Set<(changed: Changed) => void>;
  readonly now: () => number;
  readonly price: () => number;
}

/** Creates an account of the fake exchange: Tidemark's own order book, with Bybit's rules around it. */
export function createVenue({ balance, now, price }: { balance: number; now: () => number; price: () => number }) {
  const book = createBook(newBook({ balance, rules: PERPETUAL }));
  const cruelty: Cruelty = { ...KIND };
  const lists = { orders: [], executions: [], accepted: [], listeners: new Set<(changed: Changed) => void>() };
  const state: State = { book, ...lists, made: 0, held: 0, nextPart: 1, cruelty, now, price };

  return {
    cruelty,
    settings: { marginMode: 'REGULAR_MARGIN', hedge: false },
    orders: state.orders as readonly VenueOrder[],
    executions: state.executions as readonly Execution[],
    /** Null without a position. */
    position: () => book.position(),
    leverage: () => book.state().rules.leverage,
    balance: () => book.balance(),
    equity: () => book.equity(price()),
    place: (order: Placed): VenueOrder => placeOrder(state, order),
    cancel: (id: string): VenueOrder => cancelOrder(state, id),
    /** Null removes a stop or target. */
    protect: (stop: number | null, target: number | null): void => protectPosition(state, stop, target),
    setLeverage: (leverage: number): void => setLeverage(state, leverage),

    /** Moves the price along a candle, in the order that is worst for the position. */
    advance(stretch: Stretch, funding = 0): void {
      record(state, book.advance(stretch, funding), stretch.time);
    },

    /** Moves the last price along one candle and the mark price, which triggers stops and liquidation, along another. */
    advanceApart: (last: Stretch, mark: Stretch): void => advanceApart(state, last, mark),

    /** Reduces the position by auto-deleveraging. */
    deleverage: (quantity = book.position()?.quantity ?? 0): void => closeBy(state, 'adl', quantity),

    /** Executes or rejects the accepted orders that are due. */
    settleAccepted: (): void => settleAccepted(state),

    /** Restarts the exchange's service: the list of recent orders loses those that are closed. */
    restart(): void {
      for (const order of state.orders) if (!isOpen(order)) order.clearedAt ??= now();
    },

    /** Calls a listener with every change. Returns a function that removes it. */
    onChange(listener: (changed: Changed) => void): () => void {
      state.listeners.add(listener);
      return () => state.listeners.delete(listener);
    },

    /** Fills only this part of the next market order and cancels the rest. */
    fillOnly(part: number): void {
      state.nextPart = part;
    },

    /** Actions of the owner in Bybit's own app. */
    byHand: {
      order: (order: Placed): VenueOrder => placeOrder(state, order),
      /** Closes all or part of the position. */
      close(quantity = book.position()?.quantity ?? 0): void {
        const direction = book.position()?.side === 'long' ? 'sell' : 'buy';
        placeOrder(state, { direction, type: 'market', quantity, reduceOnly: true });
      },
      removeStop(): void {
        book.protect(null, null);
        tell(state);
      },
    },
  };
}

export type Venue = ReturnType<typeof createVenue>;

const findOrder = ({ orders }: State, id: string): VenueOrder | undefined =>
  orders.find(({ orderId, orderLinkId }) => orderId === id || orderLinkId === id);

/** Whether an order still works. */
export const isOpen = ({ status }: Pick<VenueOrder, 'status'>): boolean => status === 'New' || status === 'Untriggered';

function tell({ listeners }: State, { orders = [], executions = [] }: Partial<Changed> = {}): void {
  for (const listener of listeners) listener({ orders, executions });
}

function placeOrder(state: State, { orderLinkId = '', ...given }: Placed): VenueOrder {
  const { orders, cruelty } = state;
  if (orderLinkId !== '' && findOrder(state, orderLinkId)) throw new Refusal(110072, 'OrderLinkedID is duplicate');
  const orderId = `venue-${++state.made}`;
  const at = state.now();
  const order: VenueOrder = {
    orderId,
    orderLinkId,
    direction: given.direction,
    type: given.type,
    quantity: given.quantity,
    price: given.price,
    trigger: given.trigger,
    reduceOnly: given.reduceOnly ?? false,
    stop: given.stop,
    target: given.target,
    status: 'New',
    rejectReason: 'EC_NoError',
    isHidden: false,
    clearedAt: null,
    filled: 0,
    mean: null,
    fees: 0,
    createdAt: at,
    updatedAt: at,
  };
  if (cruelty.orderDelay === 0 || orderLinkId === '') {
    const refusal = execute(state, order, given);
    if (refusal) throw refusal;
    return order;
  }
  order.isHidden = cruelty.hidesAccepted;
  orders.push(order);
  state.accepted.push({ due: at + cruelty.orderDelay, order, given });
  tell(state, { orders: order.isHidden ? [] : [order] });
  return order;
}

/** Executes an order. Returns the refusal of one that the account cannot carry. */
function execute(state: State, order: VenueOrder, given: Placed): Refusal | undefined {
  const { book, orders, price, now } = state;
  const at = now();
  const part = given.type === 'market' ? state.nextPart : 1;
  state.nextPart = 1;
  const quantity = Math.round(given.quantity * part * 1000) / 1000;
  const step: BookStep = { fills: [], orders: [] };
  if (quantity === 0) Object.assign(order, { status: 'Cancelled', updatedAt: at } satisfies Partial<VenueOrder>);
  else {
    const { order: result, ...rest } = book.submit({ ...given, quantity, clientId: order.orderId }, price(), at);
    if (result.state === 'rejected') return refusalOf(result.reject);
    settle(order, result, at);
    Object.assign(step, rest);
  }
  if (!orders.includes(order)) orders.push(order);
  record(state, step, at, [order]);
  return undefined;
}

function settleAccepted(state: State): void {
  const now = state.now();
  const due = state.accepted.filter((one) => one.due <= now);
  state.accepted = state.accepted.filter((one) => one.due > now);
  for (const { order, given } of due) {
    if (!isOpen(order)) continue;
    order.isHidden = false;
    const reason = state.cruelty.rejectReason ?? (execute(state, order, given) ? 'EC_AvailableBalanceNotEnough' : null);
    if (reason === null) continue;
    Object.assign(order, { status: 'Rejected', rejectReason: reason, updatedAt: now } satisfies Partial<VenueOrder>);
    tell(state, { orders: [order] });
  }
}

/** Closes a part of the position at the last price without an order of its owner. */
function closeBy(state: State, reason: Execution['reason'], quantity: number): void {
  const { book, now, price } = state;
  const direction = book.position()?.side === 'long' ? 'sell' : 'buy';
  const { fills, orders } = book.submit({ clientId: 'exchange', direction, type: 'market', quantity, reduceOnly: true }, price(), now());
  record(state, { fills: fills.map((fill) => ({ ...fill, clientId: null })), orders }, now(), [], reason);
}

function advanceApart(state: State, last: Stretch, mark: Stretch): void {
  const { book } = state;
  const position = book.position();
  if (!position) {
    record(state, book.advance(last), last.time);
    return;
  }
  const { stop, target, liquidationPrice } = position;
  const isTouched = (level: number | null) => level !== null && level >= mark.low && level <= mark.high;
  const cause = isTouched(stop) ? 'stop' : isTouched(liquidationPrice) ? 'liquidation' : null;
  if (cause !== null) {
    closeBy(state, cause, position.quantity);
    return;
  }
  // The book knows one price. Beyond the liquidation price, it must not see the last one.
  const safe = (price: number) =>
    position.side === 'long'
      ? Math.max(price, liquidationPrice + PERPETUAL.priceStep)
      : Math.min(price, liquidationPrice - PERPETUAL.priceStep);
  const { time, open, high, low, close } = last;
  book.protect(null, target);
  const step = book.advance({ time, open: safe(open), high: safe(high), low: safe(low), close: safe(close) });
  book.protect(stop, target);
  record(state, step, time);
}

function cancelOrder(state: State, id: string): VenueOrder {
  const order = findOrder(state, id);
  const cancelled = order && state.book.cancel(order.orderId);
  if (!order || !cancelled) throw new Refusal(110001, 'order not exists or too late to cancel');
  settle(order, cancelled, state.now());
  tell(state, { orders: [order] });
  return order;
}

function protectPosition(state: State, stop: number | null, target: number | null): void {
  const { book, price } = state;
  const position = book.position();
  if (!position) throw new Refusal(10001, 'can not set tp/sl/ts for zero position');
  const sign = position.side === 'long' ? 1 : -1;
  if (stop !== null && sign * (price() - stop) <= 0) throw new Refusal(10001, 'StopLoss is on the wrong side of the base price');
  if (target !== null && sign * (target - price()) <= 0) throw new Refusal(10001, 'TakeProfit is on the wrong side of the base price');
  if (position.stop === stop && position.target === target) throw new Refusal(34040, 'not modified');
  book.protect(stop, target);
  tell(state);
}

function setLeverage(state: State, leverage: number): void {
  const { book, now, price } = state;
  if (leverage === book.state().rules.leverage) throw new Refusal(110043, 'leverage not modified');
  if (leverage > 100 || book.position()) throw new Refusal(110013, 'cannot set leverage due to risk limit');
  // Bybit allows this with a position; the book does not.
  const resting = book.openOrders();
  for (const { clientId } of resting) book.cancel(clientId);
  book.setLeverage(leverage);
  for (const order of resting) book.submit(order, price(), now());
  tell(state);
}

/** Records the fills and order changes of a step. `cause` replaces the reason of its fills. */
function record(
  state: State,
  { fills, orders: results }: BookStep,
  at: number,
  changed: readonly VenueOrder[] = [],
  cause?: Execution['reason'],
): void {
  const orders = new Set(changed);
  const before = state.executions.length;
  for (const { clientId, ...result } of results) {
    const order = findOrder(state, clientId);
    if (!order) continue;
    settle(order, result, at);
    orders.add(order);
  }
  for (const [fill, delay] of fills.flatMap((fill) => halvesOf(fill, state.cruelty))) {
    const of = fill.clientId === null ? undefined : findOrder(state, fill.clientId);
    const change = fill.reason === 'funding' ? 0 : fill.quantity * (fill.direction === 'buy' ? 1 : -1);
    state.executions.push({
      ...fill,
      reason: cause ?? fill.reason,
      id: `exec-${++state.made}`,
      seq: state.made,
      orderId: of?.orderId ?? `by-exchange-${state.made}`,
      orderLinkId: of?.orderLinkId ?? '',
      closed: state.held * change < 0 ? fill.quantity : 0,
      listedAt: fill.at + delay,
    });
    state.held = Math.round((state.held + change) * 1000) / 1000;
  }
  const executions = state.executions.slice(before);
  if (orders.size + executions.length > 0) tell(state, { orders: [...orders], executions });
}

/** Returns the executions of a fill, each with its delay in the list. */
function halvesOf(fill: BookFill, { secondHalfDelay }: Cruelty): (readonly [BookFill, number])[] {
  const half = Math.floor(fill.quantity * 500) / 1000;
  if (secondHalfDelay === 0 || half === 0 || fill.clientId === null) return [[fill, 0]];
  const part = (quantity: number): BookFill => {
    const share = quantity / fill.quantity;
    return { ...fill, quantity, fee: fill.fee * share, realised: fill.realised * share };
  };
  return [
    [part(half), 0],
    [part(Math.round((fill.quantity - half) * 1000) / 1000), secondHalfDelay],
  ];
}

function settle(order: VenueOrder, { state, filled, price: mean, fees }: Omit<OrderResult, 'clientId'>, at: number): void {
  const ended = filled > 0 ? 'PartiallyFilledCanceled' : 'Cancelled';
  const resting = order.type === 'stop-market' ? 'Untriggered' : 'New';
  order.status = state === 'filled' ? (filled < order.quantity ? 'PartiallyFilledCanceled' : 'Filled') : state === 'open' ? resting : ended;
  Object.assign(order, { filled, mean, fees, updatedAt: at });
}

function refusalOf(code = 10001): Refusal {
  if (code === REJECTS.funds) return new Refusal(code, 'ab not enough for new order');
  if (code === REJECTS.reduceOnly) return new Refusal(code, 'current position is zero, cannot fix reduce-only order qty');
  return new Refusal(code, 'params error');
}
