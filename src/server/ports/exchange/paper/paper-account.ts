import { createBook, newBook } from '#server/strategy/matching/book.ts';
import { REJECTS } from '#server/strategy/matching/codes.ts';
import { PERPETUAL } from '#server/strategy/matching/perpetual.ts';
import type { OrderResult } from '#server/strategy/matching/types.ts';
import type { ExchangeAccount, ExchangeOrder, ExchangePosition, KeyFacts, NewOrder } from '../exchange.ts';
import type { SimulatedFeed } from '../simulated-feed.ts';
import type { KeptAccount } from './account-store.ts';
import { type Change, type Moment, outcome, type PaperBooks } from './paper-books.ts';
import { refusal, rejected } from './refusals.ts';

const MAX_LEVERAGE = 100;

interface Parts {
  books: PaperBooks;
  feed: SimulatedFeed;
  /** Throws for an unknown key. */
  facts: () => KeyFacts;
  botId: string;
  /** USD. */
  capital: number;
}

/** Creates a bot's account at the paper exchange. Times are the feed's. */
export function createPaperAccount({ books, feed, facts, botId, capital }: Parts): ExchangeAccount {
  const fresh = (): KeptAccount => ({
    book: newBook({ balance: capital, rules: PERPETUAL }),
    funded: capital,
    advancedTo: feed.now(),
    fills: 0,
  });

  async function look(): Promise<Moment> {
    facts();
    return books.look(botId, fresh());
  }

  async function change<T>(run: (now: Moment) => Change<T>, clientId?: string): Promise<T> {
    facts();
    return books.change({ botId, fresh: fresh(), run, ...(clientId !== undefined && { clientId }) });
  }

  async function openOrdersOf({ book }: Moment): Promise<ExchangeOrder[]> {
    const clientIds = book.openOrders().map(({ clientId }) => clientId);
    return clientIds.length === 0 ? [] : books.orders({ botId, clientIds });
  }

  function positionOf({ book, at }: Moment): ExchangePosition | null {
    const position = book.position();
    const markPrice = feed.priceAt(at);
    const unrealised = book.equity(markPrice) - book.balance();
    return position && { ...position, markPrice, leverage: book.state().rules.leverage, unrealised };
  }

  return {
    check: async () => facts(),

    async prepare(leverage) {
      if (!Number.isInteger(leverage) || leverage < 1 || leverage > MAX_LEVERAGE)
        throw rejected(`Leverage is a whole number from 1 to ${MAX_LEVERAGE}.`, REJECTS.parameter);
      await change((now) => {
        const { rules, position, orders } = now.book.state();
        const busy = position !== null || orders.length > 0;
        if (busy && leverage !== rules.leverage)
          throw rejected('Leverage cannot change while a position or an order is open.', REJECTS.parameter);
        now.book.setLeverage(leverage);
        // Another position size deposits or withdraws the difference: profits and losses stay.
        if (busy || now.funded === capital) return { answer: undefined };
        const book = createBook(newBook({ balance: now.book.balance() + capital - now.funded, rules: { ...rules, leverage } }));
        return { answer: undefined, book, funded: capital };
      });
    },

    submit: (order) =>
      change(({ book, at }) => {
        const { order: result, ...step } = book.submit(order, feed.priceAt(at), at);
        if (result.reject !== undefined && result.state === 'rejected') throw refusal(result.reject);
        const answer = toOrder(order, result, at);
        return { answer, step, order: answer };
      }, order.clientId),

    protect: (stop, target) =>
      change(({ book, at }) => {
        const position = book.position();
        if (!position) throw rejected('There is no position to protect.', REJECTS.parameter);
        const price = feed.priceAt(at);
        const sign = position.side === 'long' ? 1 : -1;
        if (sign * (price - stop) <= 0 || (target !== null && sign * (target - price) <= 0))
          throw rejected('A stop must be on the losing side of the price, and a target on the winning side.', REJECTS.parameter);
        book.protect(stop, target);
        return { answer: undefined };
      }),

    async find(clientId) {
      await look();
      return (await books.orders({ botId, clientIds: [clientId] }))[0];
    },

    cancel: (clientId) =>
      change(({ book }) => {
        const canceled = book.cancel(clientId);
        return { answer: undefined, ...(canceled && { step: { fills: [], orders: [canceled] } }) };
      }),

    async fills(since) {
      await look();
      return books.fills({ botId, since });
    },

    async snapshot() {
      const moment = await look();
      const equity = moment.book.equity(feed.priceAt(moment.at));
      return { equity, position: positionOf(moment), openOrders: await openOrdersOf(moment) };
    },
  };
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
