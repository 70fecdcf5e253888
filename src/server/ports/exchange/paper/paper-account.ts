import type { Db, Tx } from '../../../db/open';
import { createBook, newBook } from '../../../strategy/matching/book';
import { REJECTS } from '../../../strategy/matching/codes';
import { FUNDING_EVERY, PERPETUAL } from '../../../strategy/matching/perpetual';
import type { Book, BookFill, BookStep, OrderResult } from '../../../strategy/matching/types';
import { type ExchangeAccount, ExchangeError, type ExchangeOrder, type ExchangePosition, type KeyFacts, type NewOrder } from '../exchange';
import {
  changeOrder,
  findAccount,
  findPaperOrders,
  holdAccount,
  insertFills,
  insertOrder,
  type KeptAccount,
  listFills,
  saveAccount,
} from './account-store';
import type { PaperFeed } from './paper-feed';

const MOST_LEVERAGE = 100;

interface Parts {
  db: Db;
  feed: PaperFeed;
  /** The rate of funding that falls due at a moment of the feed's time. */
  fundingAt: (time: number) => number;
  /** Throws where the key is not known. */
  facts: () => KeyFacts;
  botId: string;
  /** USD. */
  capital: number;
}

/** What happened to an account, with the time at which each order changed. */
interface Past {
  fills: BookFill[];
  orders: (OrderResult & { updatedAt: number })[];
}

/** An account at one moment of the feed's time. */
interface Moment {
  book: Book;
  at: number;
}

interface Change<T> {
  answer: T;
  /** What it set off. */
  step?: BookStep;
  /** Takes the place of the book as it was. */
  book?: Book;
  funded?: number;
}

/**
 * A bot's account at the paper exchange. Its book is a function of the feed and of what it was told, so it is taken along
 * only when somebody looks, and written down only when something happened to it: an account that holds nothing costs
 * nothing. Whatever is told to it is committed before it is answered. Times are the feed's.
 */
export function createPaperAccount({ db, feed, fundingAt, facts, botId, capital }: Parts): ExchangeAccount {
  const fresh = (): KeptAccount => ({
    book: newBook({ balance: capital, rules: PERPETUAL }),
    funded: capital,
    advancedTo: feed.now(),
    fills: 0,
  });

  /** Takes a copy of the book along to now, or to where another process with a faster clock has taken it. */
  function takeAlong(kept: KeptAccount): Moment & { past: Past } {
    const book = createBook(kept.book);
    const past: Past = { fills: [], orders: [] };
    const at = Math.max(feed.now(), kept.advancedTo);
    if (!kept.book.position && kept.book.orders.length === 0) return { book, at, past };
    for (const piece of feed.way(kept.advancedTo, at)) {
      const due = piece.time >= kept.advancedTo && piece.time % FUNDING_EVERY === 0;
      add(past, book.advance(piece, due ? fundingAt(piece.time) : 0), Math.max(piece.time, kept.book.touchedAt));
    }
    return { book, at, past };
  }

  /** The account now. Written down first where something happened since it last was. */
  async function look(): Promise<Moment> {
    facts();
    const kept = (await findAccount(db, botId)) ?? fresh();
    const { past, ...moment } = takeAlong(kept);
    return past.fills.length + past.orders.length === 0 ? moment : tell(async (_tx, now) => ({ answer: now }));
  }

  /** Changes the account in one transaction, alone. */
  async function tell<T>(change: (tx: Tx, now: Moment & { kept: KeptAccount }) => Promise<Change<T>>): Promise<T> {
    facts();
    return db.transaction(async (tx) => {
      const kept = await holdAccount(tx, botId, fresh());
      const { past, ...moment } = takeAlong(kept);
      const { answer, step, book = moment.book, funded = kept.funded } = await change(tx, { ...moment, kept });
      if (step) add(past, step, moment.at);
      for (const { clientId, updatedAt, ...result } of past.orders)
        await changeOrder(tx, botId, clientId, { ...outcome(result), updatedAt });
      await insertFills(
        tx,
        botId,
        past.fills.map((fill, index) => ({ ...fill, place: kept.fills + index, id: `${botId}:${kept.fills + index}` })),
      );
      await saveAccount(tx, botId, { book: book.state(), funded, advancedTo: moment.at, fills: kept.fills + past.fills.length });
      return answer;
    });
  }

  const openOrdersOf = ({ book }: Moment): Promise<ExchangeOrder[]> =>
    findPaperOrders(
      db,
      botId,
      book.openOrders().map(({ clientId }) => clientId),
    );

  function positionOf({ book, at }: Moment): ExchangePosition | null {
    const position = book.position();
    const markPrice = feed.priceAt(at);
    const unrealised = book.equity(markPrice) - book.balance();
    return position && { ...position, markPrice, leverage: book.state().rules.leverage, unrealised };
  }

  const equityOf = ({ book, at }: Moment): number => book.equity(feed.priceAt(at));

  return {
    check: async () => facts(),

    async prepare(leverage) {
      if (!Number.isInteger(leverage) || leverage < 1 || leverage > MOST_LEVERAGE)
        throw rejected(`Leverage is a whole number from 1 to ${MOST_LEVERAGE}.`, REJECTS.parameter);
      await tell(async (_tx, now) => {
        const { rules, position, orders } = now.book.state();
        const busy = position !== null || orders.length > 0;
        if (busy && leverage !== rules.leverage)
          throw rejected('Leverage can not be changed while something is held or rests.', REJECTS.parameter);
        now.book.setLeverage(leverage);
        // Another position size is another stake: the account begins with it anew.
        if (busy || now.kept.funded === capital) return { answer: undefined };
        const book = createBook(newBook({ balance: capital, rules: { ...rules, leverage } }));
        return { answer: undefined, book, funded: capital };
      });
    },

    equity: async () => equityOf(await look()),
    position: async () => positionOf(await look()),

    submit: (order) =>
      tell(async (tx, { book, at }) => {
        const { order: result, ...step } = book.submit(order, feed.priceAt(at), at);
        if (result.reject !== undefined && result.state === 'rejected') throw refusal(result.reject);
        const answer = toOrder(order, result, at);
        if (!(await insertOrder(tx, botId, answer))) throw refusal(REJECTS.duplicate);
        return { answer, step };
      }),

    protect: (stop, target) =>
      tell(async (_tx, { book, at }) => {
        const position = book.position();
        if (!position) throw rejected('There is no position to protect.', REJECTS.parameter);
        const price = feed.priceAt(at);
        const sign = position.side === 'long' ? 1 : -1;
        if (sign * (price - stop) <= 0 || (target !== null && sign * (target - price) <= 0))
          throw rejected('A stop lies on the losing side of the price, and a target on the winning one.', REJECTS.parameter);
        book.protect(stop, target);
        return { answer: undefined };
      }),

    async find(clientId) {
      await look();
      return (await findPaperOrders(db, botId, [clientId]))[0];
    },

    openOrders: async () => openOrdersOf(await look()),

    cancel: (clientId) =>
      tell(async (_tx, { book }) => {
        const cancelled = book.cancel(clientId);
        return { answer: undefined, ...(cancelled && { step: { fills: [], orders: [cancelled] } }) };
      }),

    async fills(since) {
      await look();
      return listFills(db, botId, since);
    },

    async snapshot() {
      const moment = await look();
      return { equity: equityOf(moment), position: positionOf(moment), openOrders: await openOrdersOf(moment) };
    },
  };
}

function add(to: Past, { fills, orders }: BookStep, updatedAt: number): void {
  to.fills.push(...fills);
  to.orders.push(...orders.map((order) => ({ ...order, updatedAt })));
}

const outcome = ({
  state,
  filled,
  ...rest
}: Omit<OrderResult, 'clientId'>): Pick<ExchangeOrder, 'state' | 'filled' | 'price' | 'fees' | 'reject'> => ({
  state: state === 'cancelled' && filled > 0 ? 'partly-filled-cancelled' : state,
  filled,
  ...rest,
});

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

const rejected = (message: string, code: number) => new ExchangeError('rejected', message, code);

function refusal(code: number): ExchangeError {
  if (code === REJECTS.funds) return new ExchangeError('funds', 'There is not enough free margin for this order.', code);
  if (code === REJECTS.duplicate) return new ExchangeError('duplicate', 'An order of this id was sent before.', code);
  if (code === REJECTS.reduceOnly) return rejected('There is no position that this order would make smaller.', code);
  if (code === REJECTS.parameter) return rejected('A quantity or price of this order is not possible.', code);
  return rejected('The trigger lies on the wrong side of the price.', code);
}
