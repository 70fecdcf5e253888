import { DAY } from '#domain/clock.ts';
import { createBook } from '#server/strategy/matching/book.ts';
import { FUNDING_EVERY } from '#server/strategy/matching/perpetual.ts';
import type { Book, BookFill, BookStep, OrderResult } from '#server/strategy/matching/types.ts';
import type { SimulatedFeed } from '../simulated-feed.ts';
import type { KeptAccount } from './account-store.ts';

/** An account at one time of the feed. */
export interface Moment {
  book: Book;
  at: number;
  /** Up to when the book is advanced, ms. The path of live prices is known a little later than the current price. */
  advancedTo: number;
  /** Deposits, USD. */
  funded: number;
}

/** What happened to an account, with the time of each order's change. */
export interface Past {
  fills: BookFill[];
  orders: (OrderResult & { updatedAt: number })[];
}

/** Whether the prices matter to an account: it has a position or an order. */
export const isBusy = ({ book: { position, orders } }: Pick<KeptAccount, 'book'>): boolean => position !== null || orders.length > 0;

/** Returns from when the path matters to an account. Prices before its last order cannot affect that order. */
export const pathStart = ({ book, advancedTo }: KeptAccount): number => Math.max(advancedTo, book.touchedAt);

/** Advances a copy of the book to now, or further if another process with a faster clock has. */
export function advanceAccount(
  kept: KeptAccount,
  feed: Pick<SimulatedFeed, 'now' | 'knownTo' | 'way'>,
  fundingAt: (time: number) => number,
): Moment & { past: Past } {
  const { book: state, advancedTo, funded } = kept;
  const book = createBook(state);
  const past: Past = { fills: [], orders: [] };
  const at = Math.max(feed.now(), advancedTo);
  const to = Math.max(feed.knownTo?.() ?? at, advancedTo);
  const isOpen = () => book.position() !== null || book.openOrders().length > 0;
  // In steps: after weeks without a read, a fast replay has moved on by decades.
  for (let from = pathStart(kept); from < to && isOpen(); from += DAY) {
    for (const piece of feed.way(from, Math.min(from + DAY, to))) {
      const due = piece.time >= from && piece.time % FUNDING_EVERY === 0;
      add(past, book.advance(piece, due ? fundingAt(piece.time) : 0), Math.max(piece.time, state.touchedAt));
    }
  }
  return { book, at, advancedTo: to, funded, past };
}

export function add(to: Past, { fills, orders }: BookStep, updatedAt: number): void {
  to.fills.push(...fills);
  to.orders.push(...orders.map((order) => ({ ...order, updatedAt })));
}
