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
  holdAccounts,
  insertFills,
  insertOrders,
  type KeptAccount,
  listFills,
  type PaperOrder,
  type PlacedFill,
  saveAccounts,
  saveOrders,
} from './account-store.ts';
import { refusal } from './refusals.ts';

/** An account at one moment of the feed's time. */
export interface Moment {
  book: Book;
  at: number;
  /** USD it was given. */
  funded: number;
}

/** What happened to an account, with the time at which each order changed. */
interface Past {
  fills: BookFill[];
  orders: (OrderResult & { updatedAt: number })[];
}

export interface Change<T> {
  answer: T;
  /** What it set off. */
  step?: BookStep;
  /** An order that is new. */
  order?: ExchangeOrder;
  /** Takes the place of the book as it was. */
  book?: Book;
  funded?: number;
}

interface Telling {
  botId: string;
  /** The account as it is opened. */
  fresh: KeptAccount;
  /** Of the order that comes with it: one that the account has had already is refused. */
  clientId?: string;
  /** What it throws is the answer, and leaves the account as it was. */
  change: (now: Moment) => Change<unknown>;
}

interface Parts {
  db: Db;
  feed: SimulatedFeed;
  /** The rate of funding that falls due at a moment of the feed's time. */
  fundingAt: (time: number) => number;
}

export type PaperBooks = ReturnType<typeof createPaperBooks>;

/**
 * The books of all accounts. An account is a function of the feed and of what it was told, so it is taken along only when
 * somebody looks, and written down only when something happened to it: one that holds nothing costs nothing. Accounts that
 * are told something at the same moment share a transaction, and whatever is told is committed before it is answered.
 */
export function createPaperBooks({ db, feed, fundingAt }: Parts) {
  /** Takes a copy of the book along to now, or to where another process with a faster clock has taken it. */
  function takeAlong({ book: state, advancedTo, funded }: KeptAccount): Moment & { past: Past } {
    const book = createBook(state);
    const past: Past = { fills: [], orders: [] };
    const at = Math.max(feed.now(), advancedTo);
    const isBusy = () => book.position() !== null || book.openOrders().length > 0;
    // Bit by bit: a fast replay that nobody looked at for weeks has gone on for decades.
    for (let from = advancedTo; from < at && isBusy(); from += DAY) {
      for (const piece of feed.way(from, Math.min(from + DAY, at))) {
        const due = piece.time >= from && piece.time % FUNDING_EVERY === 0;
        add(past, book.advance(piece, due ? fundingAt(piece.time) : 0), Math.max(piece.time, state.touchedAt));
      }
    }
    return { book, at, funded, past };
  }

  /** Changes accounts in one transaction, each alone. */
  const tellAll = (tellings: readonly Telling[]): Promise<unknown[]> =>
    db.transaction(async (tx) => {
      const accounts = await holdAccounts(tx, new Map(tellings.map(({ botId, fresh }) => [botId, fresh])));
      const sent = tellings.filter(({ clientId }) => clientId !== undefined);
      const had = await findPaperOrders(
        tx,
        sent.map(({ botId, clientId = '' }) => ({ botId, clientIds: [clientId] })),
      );
      const known = new Set(sent.flatMap(({ botId, clientId }, index) => (had[index]?.length ? `${botId} ${clientId}` : [])));
      const writing = createWriting();
      const answers = tellings.map(({ botId, fresh, clientId, change }) => {
        try {
          if (clientId !== undefined && known.has(`${botId} ${clientId}`)) throw refusal(REJECTS.duplicate);
          const kept = accounts.get(botId) ?? fresh;
          const { past, ...moment } = takeAlong(kept);
          const { answer, step, order, book = moment.book, funded = kept.funded } = change(moment);
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

  const told = createBatcher<Telling, unknown>(tellAll);
  const found = createBatcher((botIds: readonly string[]) => findAccounts(db, botIds));

  /** Changes an account, alone. Rejects with what the change throws. */
  const tell = <T>(telling: Omit<Telling, 'change'> & { change: (now: Moment) => Change<T> }): Promise<T> => told(telling) as Promise<T>;

  return {
    tell,

    /** An account now. Written down first where something happened since it last was. */
    async look(botId: string, fresh: KeptAccount): Promise<Moment> {
      const { past, ...moment } = takeAlong((await found(botId)) ?? fresh);
      if (past.fills.length + past.orders.length === 0) return moment;
      return tell({ botId, fresh, change: (now) => ({ answer: now }) });
    },

    fills: createBatcher((asked: readonly { botId: string; since: number }[]) => listFills(db, asked)),
    orders: createBatcher((asked: readonly { botId: string; clientIds: readonly string[] }[]) => findPaperOrders(db, asked)),
  };
}

/** What a transaction changes, collected to be written at once. */
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

/** What became of an order, in the words of an exchange. */
export const outcome = ({
  state,
  filled,
  ...rest
}: Omit<OrderResult, 'clientId'>): Pick<ExchangeOrder, 'state' | 'filled' | 'price' | 'fees' | 'reject'> => ({
  state: state === 'cancelled' && filled > 0 ? 'partly-filled-cancelled' : state,
  filled,
  ...rest,
});
