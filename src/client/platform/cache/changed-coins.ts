import type { CryptoItem } from '#contract/market/market.ts';
import type { UserTables } from '../db/user-db.ts';

/** Returns the coins that differ from those on the device: comparing a row is far cheaper than writing it. */
export async function changedCoins(db: UserTables, coins: CryptoItem[]): Promise<CryptoItem[]> {
  const known = await db.coins.bulkGet(coins.map(({ id }) => id));
  // The contract's parser gives every row its keys in one order, so equal rows have equal text.
  return coins.filter((coin, at) => JSON.stringify(coin) !== JSON.stringify(known[at]));
}
