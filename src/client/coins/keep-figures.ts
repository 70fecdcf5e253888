import type { CryptoItem } from '#contract/market/market.ts';
import { changedCoins } from '../platform/cache/changed-coins.ts';
import type { UserTables } from '../platform/db/user-db.ts';

/** Stores the figures of a coin's details. Its line of 7 days, which only lists have, stays. */
export async function keepFigures(db: UserTables, { id, symbol, name, rank, quote }: CryptoItem): Promise<void> {
  const known = await db.coins.get(id);
  await db.coins.bulkPut(await changedCoins(db, [{ id, symbol, name, rank, quote, line_7d: known?.line_7d }]));
}
