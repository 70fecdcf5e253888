import { createBatcher } from '#server/batcher.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { REJECTS } from '#server/strategy/matching/codes.ts';
import type { Book, BookStep } from '#server/strategy/matching/types.ts';
import type { ExchangeOrder } from '../exchange.ts';
import type { SimulatedFeed } from '../simulated-feed.ts';
import { findAccounts, findPaperOrders, type KeptAccount, listFills, lockAccounts } from './account-store.ts';
import { add, advanceAccount, isBusy, type Moment, pathStart } from './advance-account.ts';
import { refusal } from './refusals.ts';
import { createWriting } from './write-accounts.ts';

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
  /** Throws if accounts belong to another feed by now. */
  guard: (tx: Tx) => Promise<void>;
}

export type PaperBooks = ReturnType<typeof createPaperBooks>;

/**
 * Creates the books of all accounts. An account depends on the feed and its own changes only, so it is advanced lazily, on read, and
 * saved only if something happened. Concurrent changes share a transaction, which commits before any of them resolves.
 */
export function createPaperBooks({ db, feed, fundingAt, guard }: Parts) {
  const advance = (kept: KeptAccount) => advanceAccount(kept, feed, fundingAt);

  /** Runs changes in one transaction. One failing change does not fail the others. */
  const changeAll = (requests: readonly ChangeRequest[]): Promise<unknown[]> =>
    db.transaction(async (tx) => {
      const accounts = await lockAccounts(tx, new Map(requests.map(({ botId, fresh }) => [botId, fresh])));
      await guard(tx);
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
          const account = { book: book.state(), funded, advancedTo: moment.advancedTo, fills };
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

  /** Loads the prices that an account needs, before any transaction waits for them. */
  async function loadPrices(kept: KeptAccount): Promise<void> {
    await feed.load?.(isBusy(kept) ? pathStart(kept) : undefined);
  }

  /** Changes an account. Rejects with what `run` throws. */
  async function change<T>(request: Omit<ChangeRequest, 'run'> & { run: (now: Moment) => Change<T> }): Promise<T> {
    if (feed.load) await loadPrices((await found(request.botId)) ?? request.fresh);
    return changeBatched(request) as Promise<T>;
  }

  return {
    change,

    /** Returns an account now. Saves it first if something happened to it. */
    async look(botId: string, fresh: KeptAccount): Promise<Moment> {
      const kept = (await found(botId)) ?? fresh;
      await loadPrices(kept);
      const { past, ...moment } = advance(kept);
      if (past.fills.length + past.orders.length === 0) return moment;
      return change({ botId, fresh, run: (now) => ({ answer: now }) });
    },

    fills: createBatcher((asked: readonly { botId: string; since: number }[]) => listFills(db, asked)),
    orders: createBatcher((asked: readonly { botId: string; clientIds: readonly string[] }[]) => findPaperOrders(db, asked)),
  };
}
