import { newBook } from '#server/strategy/matching/book.ts';
import { REJECTS } from '#server/strategy/matching/codes.ts';
import { PERPETUAL } from '#server/strategy/matching/perpetual.ts';
import type { ExchangeAccount, ExchangeOrder, ExchangePosition, KeyFacts } from '../exchange.ts';
import type { SimulatedFeed } from '../simulated-feed.ts';
import type { KeptAccount } from './account-store.ts';
import type { Moment } from './advance-account.ts';
import { cancelOrder, changeLeverage, placeOrder, protectPosition } from './changes.ts';
import type { Change, PaperBooks } from './paper-books.ts';
import { rejected } from './refusals.ts';

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
      await change((now) => changeLeverage(now, leverage, capital));
    },

    async standing() {
      const moment = await look();
      const equity = moment.book.equity(feed.priceAt(moment.at));
      const { leverage } = moment.book.state().rules;
      return { equity, position: positionOf(moment), leverage, isIsolated: true, isOneWay: true };
    },

    submit: (order) => change((now) => placeOrder(now, feed, order), order.clientId),
    protect: (stop, target) => change((now) => protectPosition(now, feed, stop, target)),
    cancel: (clientId) => change((now) => cancelOrder(now, clientId)),

    async find(clientId) {
      await look();
      return (await books.orders({ botId, clientIds: [clientId] }))[0];
    },

    async fills(since) {
      await look();
      return books.fills({ botId, since });
    },

    position: async () => positionOf(await look()),

    async snapshot() {
      const moment = await look();
      const equity = moment.book.equity(feed.priceAt(moment.at));
      return { equity, position: positionOf(moment), openOrders: await openOrdersOf(moment) };
    },
  };
}
