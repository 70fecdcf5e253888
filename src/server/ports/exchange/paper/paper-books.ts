import { DAY } from '#domain/clock.ts';
import { createBatcher } from '#server/batcher.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { createBook } from '#server/strategy/matching/book.ts';
import { REJECTS } from '#server/strategy/matching/codes.ts';
import { FUNDING_EVERY } from '#server/strategy/matching/perpetual.ts';
import type { Book, BookFill, BookStep, OrderResult } from '#server/strategy/matching/types.ts';
import type { ExchangeOrder } from '../exchange.ts';
import type { SimulatedFeed } from '../simulated-feed.ts';
import {
  findAccounts,
  findPaperOrders,
  insertFills,
  insertOrders,
  type KeptAccount,
  listFills,
  lockAccounts,
  type PaperOrder,
  type PlacedFill,
  saveAccounts,
  saveOrders,
} from './account-store.ts';
import { refusal } from './refusals.ts';

/** An account at one time of the feed. */
export interface Moment {
  book: Book;
  at: number;
  /** Deposits, USD. */
  funded: number;
}

/** What happened to an account, with the time of each order's change. */
interface Past {
  fills: BookFill[];
  orders: (OrderResult & { updatedAt: number })[];
}

export interface Change<T> {
  answer: T;
  /** Fills and orders that the change caused. */
  step?: BookStep;
  /** A new order. */
  order?: ExchangeOrder;
  /** Replaces the book. */
  book?: Book;
  funded?: number;
}

interface ChangeRequest {
  botId: string;
  /** The account if it is not open yet. */
  fresh: KeptAccount;
  /** Id of the change's new order. An id that the account already has is refused. */
  clientId?: string;
  /** If it throws, the error is the answer and the account does not change. */
  run: (now: Moment) => Change<unknown>;
}

interface Parts {
  db: Db;
  feed: SimulatedFeed;
  /** Returns the funding rate that is due at a time of the feed. */
  fundingAt: (time: number) => number;
}

export type PaperBooks = ReturnType<typeof createPaperBooks>;

/**
 * Creates the books of all accounts. An account depends on the feed and its own changes only, so it is advanced lazily, on read, and
 * saved only if something happened. Concurrent changes share a transaction, which commits before any of them resolves.
 */
export function createPaperBooks({ db, feed, fundingAt }: Parts) {
  /** Advances a copy of the book to now, or further if another process with a faster clock has. */
  function advance({ book: state, advancedTo, funded }: KeptAccount): Moment & { past: Past } {
    const book = createBook(state);
    const past: Past = { fills: [], orders: [] };
    const at = Math.max(feed.now(), advancedTo);
    const isBusy = () => book.position() !== null || book.openOrders().length > 0;
    // In steps: after weeks without a read, a fast replay has moved on by decades.
    for (let from = advancedTo; from < at && isBusy(); from += DAY) {
      for (const piece of feed.way(from, Math.min(from + DAY, at))) {
        const due = piece.time >= from && piece.time % FUNDING_EVERY === 0;
        add(past, book.advance(piece, due ? fundingAt(piece.time) : 0), Math.max(piece.time, state.touchedAt));
      }
    }
    return { book, at, funded, past };
  }

  /** Runs changes in one transaction. One failing change does not fail the others. */
  const changeAll = (requests: readonly ChangeRequest[]): Promise<unknown[]> =>
    db.transaction(async (tx) => {
      const accounts = await lockAccounts(tx, new Map(requests.map(({ botId, fresh }) => [botId, fresh])));
      const sent = requests.filter(({ clientId }) => clientId !== undefined);
      const had = await findPaperOrders(
        tx,
        sent.map(({ botId, clientId = '' }) => ({ botId, clientIds: [clientId] })),
      );
      const known = new Set(sent.flatMap(({ botId, clientId }, index) => (had[index]?.length ? `${botId} ${clientId}` : [])));
      const writing = createWriting();
      const answers = requests.map(({ botId, fresh, clientId, run }) => {
        try {
          if (clientId !== undefined && known.has(`${botId} ${clientId}`)) throw refusal(REJECTS.duplicate);
          const kept = accounts.get(botId) ?? fresh;
          const { past, ...moment } = advance(kept);
          const { answer, step, order, book = moment.book, funded = kept.funded } = run(moment);
          if (order) known.add(`${botId} ${order.clientId}`);
          if (step) add(past, step, moment.at);
          const fills = kept.fills + past.fills.length;
          const account = { book: book.state(), funded, advancedTo: moment.at, fills };
          accounts.set(botId, account);
          writing.put(botId, account, { past, order, place: kept.fills });
          return answer;
        } catch (error) {
          return error;
        }
      });
      await writing.write(tx);
      return answers;
    });

  const changeBatched = createBatcher<ChangeRequest, unknown>(changeAll);
  const found = createBatcher((botIds: readonly string[]) => findAccounts(db, botIds));

  /** Changes an account. Rejects with what `run` throws. */
  const change = <T>(request: Omit<ChangeRequest, 'run'> & { run: (now: Moment) => Change<T> }): Promise<T> =>
    changeBatched(request) as Promise<T>;

  return {
    change,

    /** Returns an account now. Saves it first if something happened to it. */
    async look(botId: string, fresh: KeptAccount): Promise<Moment> {
      const { past, ...moment } = advance((await found(botId)) ?? fresh);
      if (past.fills.length + past.orders.length === 0) return moment;
      return change({ botId, fresh, run: (now) => ({ answer: now }) });
    },

    fills: createBatcher((asked: readonly { botId: string; since: number }[]) => listFills(db, asked)),
    orders: createBatcher((asked: readonly { botId: string; clientIds: readonly string[] }[]) => findPaperOrders(db, asked)),
  };
}

/** Collects the changes of a transaction, to save them at once. */
function createWriting() {
  const accounts = new Map<string, KeptAccount>();
  const fills: PlacedFill[] = [];
  const orders: PaperOrder[] = [];
  const changes: { botId: string; clientId: string; change: Partial<ExchangeOrder> }[] = [];
  return {
    put(
      botId: string,
      account: KeptAccount,
      { past, order, place }: { past: Past; order: ExchangeOrder | undefined; place: number },
    ): void {
      accounts.set(botId, account);
      if (order) orders.push({ botId, clientId: order.clientId, order });
      for (const { clientId, updatedAt, ...result } of past.orders)
        changes.push({ botId, clientId, change: { ...outcome(result), updatedAt } });
      for (const [index, fill] of past.fills.entries())
        fills.push({ botId, place: place + index, fill: { ...fill, id: `${botId}:${place + index}` } });
    },

    async write(tx: Tx): Promise<void> {
      await insertOrders(tx, orders);
      const asked = changes.map(({ botId, clientId }) => ({ botId, clientIds: [clientId] }));
      const before = await findPaperOrders(tx, asked);
      const changed = new Map<string, PaperOrder>();
      for (const [index, { botId, clientId, change }] of changes.entries()) {
        const name = `${botId} ${clientId}`;
        const order = changed.get(name)?.order ?? before[index]?.[0];
        if (order) changed.set(name, { botId, clientId, order: { ...order, ...change } });
      }
      await saveOrders(tx, [...changed.values()]);
      await insertFills(tx, fills);
      await saveAccounts(tx, accounts);
    },
  };
}

function add(to: Past, { fills, orders }: BookStep, updatedAt: number): void {
  to.fills.push(...fills);
  to.orders.push(...orders.map((order) => ({ ...order, updatedAt })));
}

/** Returns an order's outcome as an exchange reports it. */
export const outcome = ({
  state,
  filled,
  ...rest
}: Omit<OrderResult, 'clientId'>): Pick<ExchangeOrder, 'state' | 'filled' | 'price' | 'fees' | 'reject'> => ({
  state: state === 'cancelled' && filled > 0 ? 'partly-filled-cancelled' : state,
  filled,
  ...rest,
});
