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

type Status = 'New' | 'Untriggered' | 'Filled' | 'PartiallyFilledCanceled' | 'Cancelled';

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
  filled: number;
  mean: number | null;
  fees: number;
  createdAt: number;
  updatedAt: number;
}

export interface Execution extends BookFill {
  id: string;
  /** Sequence number. */
  seq: number;
  orderId: string;
  orderLinkId: string;
  closed: number;
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
  readonly now: () => number;
  readonly price: () => number;
}

/** Creates an account of the fake exchange: Tidemark's own order book, with Bybit's rules around it. */
export function createVenue({ balance, now, price }: { balance: number; now: () => number; price: () => number }) {
  const book = createBook(newBook({ balance, rules: PERPETUAL }));
  const state: State = { book, orders: [], executions: [], made: 0, held: 0, nextPart: 1, now, price };

  return {
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
      removeStop: (): void => book.protect(null, null),
    },
  };
}

export type Venue = ReturnType<typeof createVenue>;

const findOrder = ({ orders }: State, id: string): VenueOrder | undefined =>
  orders.find(({ orderId, orderLinkId }) => orderId === id || orderLinkId === id);

function placeOrder(state: State, { orderLinkId = '', ...given }: Placed): VenueOrder {
  const { book, orders, price } = state;
  if (orderLinkId !== '' && findOrder(state, orderLinkId)) throw new Refusal(110072, 'OrderLinkedID is duplicate');
  const orderId = `venue-${++state.made}`;
  const at = state.now();
  const part = given.type === 'market' ? state.nextPart : 1;
  state.nextPart = 1;
  const quantity = Math.round(given.quantity * part * 1000) / 1000;
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
    status: 'Cancelled',
    filled: 0,
    mean: null,
    fees: 0,
    createdAt: at,
    updatedAt: at,
  };
  if (quantity === 0) {
    orders.push(order);
    return order;
  }
  const { order: result, ...step } = book.submit({ ...given, quantity, clientId: orderId }, price(), at);
  if (result.state === 'rejected') throw refusalOf(result.reject);
  orders.push(order);
  settle(order, result, at);
  record(state, step, at);
  return order;
}

function cancelOrder(state: State, id: string): VenueOrder {
  const order = findOrder(state, id);
  const cancelled = order && state.book.cancel(order.orderId);
  if (!order || !cancelled) throw new Refusal(110001, 'order not exists or too late to cancel');
  settle(order, cancelled, state.now());
  return order;
}

function protectPosition({ book, price }: State, stop: number | null, target: number | null): void {
  const position = book.position();
  if (!position) throw new Refusal(10001, 'can not set tp/sl/ts for zero position');
  const sign = position.side === 'long' ? 1 : -1;
  if (stop !== null && sign * (price() - stop) <= 0) throw new Refusal(10001, 'StopLoss is on the wrong side of the base price');
  if (target !== null && sign * (target - price()) <= 0) throw new Refusal(10001, 'TakeProfit is on the wrong side of the base price');
  if (position.stop === stop && position.target === target) throw new Refusal(34040, 'not modified');
  book.protect(stop, target);
}

function setLeverage({ book, now, price }: State, leverage: number): void {
  if (leverage === book.state().rules.leverage) throw new Refusal(110043, 'leverage not modified');
  if (leverage > 100 || book.position()) throw new Refusal(110013, 'cannot set leverage due to risk limit');
  // Bybit allows this with a position; the book does not.
  const resting = book.openOrders();
  for (const { clientId } of resting) book.cancel(clientId);
  book.setLeverage(leverage);
  for (const order of resting) book.submit(order, price(), now());
}

/** Records the fills and order changes of a step. */
function record(state: State, { fills, orders: changed }: BookStep, at: number): void {
  for (const { clientId, ...result } of changed) {
    const order = findOrder(state, clientId);
    if (order) settle(order, result, at);
  }
  for (const fill of fills) {
    const of = fill.clientId === null ? undefined : findOrder(state, fill.clientId);
    const change = fill.reason === 'funding' ? 0 : fill.quantity * (fill.direction === 'buy' ? 1 : -1);
    state.executions.push({
      ...fill,
      id: `exec-${++state.made}`,
      seq: state.made,
      orderId: of?.orderId ?? `by-exchange-${state.made}`,
      orderLinkId: of?.orderLinkId ?? '',
      closed: state.held * change < 0 ? fill.quantity : 0,
    });
    state.held = Math.round((state.held + change) * 1000) / 1000;
  }
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
