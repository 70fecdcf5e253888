import { createBook, newBook } from '#server/strategy/matching/book.ts';
import { REJECTS } from '#server/strategy/matching/codes.ts';
import type { OrderResult } from '#server/strategy/matching/types.ts';
import type { ExchangeOrder, NewOrder } from '../exchange.ts';
import type { SimulatedFeed } from '../simulated-feed.ts';
import type { Moment } from './advance-account.ts';
import type { Change } from './paper-books.ts';
import { refusal, rejected } from './refusals.ts';
import { outcome } from './write-accounts.ts';

/** Sets the leverage, and the capital of an account without position and orders. */
export function changeLeverage({ book, funded }: Moment, leverage: number, capital: number): Change<undefined> {
  const { rules, position, orders } = book.state();
  const busy = position !== null || orders.length > 0;
  if (busy && leverage !== rules.leverage)
    throw rejected('Leverage cannot change while a position or an order is open.', REJECTS.parameter);
  book.setLeverage(leverage);
  // Another position size deposits or withdraws the difference: profits and losses stay.
  if (busy || funded === capital) return { answer: undefined };
  const resized = createBook(newBook({ balance: book.balance() + capital - funded, rules: { ...rules, leverage } }));
  return { answer: undefined, book: resized, funded: capital };
}

/** Places an order at the price of the moment. */
export function placeOrder({ book, at }: Moment, feed: SimulatedFeed, order: NewOrder): Change<ExchangeOrder> {
  const { order: result, ...step } = book.submit(order, feed.priceAt(at), at);
  if (result.reject !== undefined && result.state === 'rejected') throw refusal(result.reject);
  const answer = toOrder(order, result, at);
  return { answer, step, order: answer };
}

/** Replaces the stop and target of the position. */
export function protectPosition({ book, at }: Moment, feed: SimulatedFeed, stop: number, target: number | null): Change<undefined> {
  const position = book.position();
  if (!position) throw rejected('There is no position to protect.', REJECTS.parameter);
  const price = feed.priceAt(at);
  const sign = position.side === 'long' ? 1 : -1;
  if (sign * (price - stop) <= 0 || (target !== null && sign * (target - price) <= 0))
    throw rejected('A stop must be on the losing side of the price, and a target on the winning side.', REJECTS.parameter);
  book.protect(stop, target);
  return { answer: undefined };
}

/** Cancels a resting order, if there is one with this id. */
export function cancelOrder({ book }: Moment, clientId: string): Change<undefined> {
  const canceled = book.cancel(clientId);
  return { answer: undefined, ...(canceled && { step: { fills: [], orders: [canceled] } }) };
}

const toOrder = (
  { clientId, direction, type, quantity }: NewOrder,
  { clientId: _, ...result }: OrderResult,
  at: number,
): ExchangeOrder => ({
  clientId,
  exchangeId: `paper-${clientId}`,
  direction,
  type,
  quantity,
  ...outcome(result),
  updatedAt: at,
});
