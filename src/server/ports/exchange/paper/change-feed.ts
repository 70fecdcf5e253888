import { sql } from 'drizzle-orm';
import type { Tx } from '#server/db/open.ts';
import { paperFills } from '#server/db/schema/paper.ts';
import { createBook } from '#server/strategy/matching/book.ts';
import { USUAL_FUNDING } from '#server/strategy/matching/perpetual.ts';
import type { SimulatedFeed } from '../simulated-feed.ts';
import { type KeptAccount, listAccounts } from './account-store.ts';
import { add, advanceAccount, isBusy, type Past } from './advance-account.ts';
import { createWriting } from './write-accounts.ts';

interface End {
  /** When the old feed ends and when the new one begins, ms of each one's time. */
  endsAt: number;
  beginsAt: number;
  /** The feed that ends, if its path is known. */
  path: SimulatedFeed | undefined;
  /** The last price of the feed that ends, USD; null if it never had one. */
  price: number | null;
}

/**
 * Moves all accounts to another feed: their positions close at the old one's last price, their orders are canceled, and times of the
 * past keep their distance to the change.
 */
export async function moveAccounts(tx: Tx, { endsAt, beginsAt, path, price }: End): Promise<void> {
  const by = beginsAt - endsAt;
  const moved = sql`jsonb_set(${paperFills.fill}, '{at}', to_jsonb((${paperFills.fill} ->> 'at')::float8 + ${by}::float8))`;
  await tx.update(paperFills).set({ at: sql`${paperFills.at} + ${by}::float8`, fill: moved });
  const writing = createWriting();
  for (const { botId, ...kept } of await listAccounts(tx)) {
    const { past, book } = settle(kept, { endsAt, path, price });
    const movedPast: Past = {
      fills: past.fills.map((fill) => ({ ...fill, at: fill.at + by })),
      orders: past.orders.map((order) => ({ ...order, updatedAt: order.updatedAt + by })),
    };
    const account = { ...kept, book: { ...book, touchedAt: beginsAt }, advancedTo: beginsAt, fills: kept.fills + past.fills.length };
    writing.put(botId, account, { past: movedPast, order: undefined, place: kept.fills });
  }
  await writing.write(tx);
}

/** Returns an account at the end of its feed, and what happened to it until then. */
function settle(kept: KeptAccount, { endsAt, path, price }: Omit<End, 'beginsAt'>): { past: Past; book: KeptAccount['book'] } {
  const { past, book } = path
    ? advanceAccount(kept, path, () => USUAL_FUNDING)
    : { past: { fills: [], orders: [] } as Past, book: createBook(kept.book) };
  const position = book.position();
  if (isBusy({ book: book.state() })) add(past, book.end(price ?? position?.entryPrice ?? 0, endsAt), endsAt);
  return { past, book: book.state() };
}
