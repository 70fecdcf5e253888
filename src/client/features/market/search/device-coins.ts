import { useEffect, useState } from 'react';
import { transact } from '#client/platform/db/transact.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import type { CryptoItem } from '#contract/market/market.ts';
import type { SearchHit } from '#contract/market/search.ts';

/** Rows per read: small enough that typing stays responsive. */
const BATCH = 500;

/** A coin of the device as a search shows it. */
function hitOf({ id, name, symbol, quote: { USD } }: Omit<CryptoItem, 'rank'>, asOf: string | undefined): SearchHit {
  return { id, name, symbol, price: USD?.price, percent_change_24h: USD?.percent_change_24h, ...(asOf && { asOf }) };
}

/** Reads the time of each coin's figures: lists and details share them, and the latest answer wrote them. */
async function readTimes(db: UserDb): Promise<ReadonlyMap<number, string>> {
  const [lists, details] = await Promise.all([db.coinLists.toArray(), db.coinDetails.toArray()]);
  const times = new Map<number, string>();
  const add = (id: number, asOf: string) => asOf > (times.get(id) ?? '') && times.set(id, asOf);
  for (const { ids, source } of lists) for (const id of ids) add(id, source.asOf);
  for (const { id, source } of details) add(id, source.asOf);
  return times;
}

/** Reads all coins on this device, by rank. */
async function readCoins(db: UserDb): Promise<SearchHit[]> {
  const times = await readTimes(db);
  const coins: (SearchHit & { place: number })[] = [];
  let last = 0;
  for (;;) {
    const rows = await db.coins.where('id').above(last).limit(BATCH).toArray();
    coins.push(...rows.map(({ rank, ...coin }) => ({ ...hitOf(coin, times.get(coin.id)), place: rank ?? Number.POSITIVE_INFINITY })));
    const end = rows.at(-1);
    if (!end) return coins.sort((a, b) => (a.place === b.place ? a.id - b.id : a.place - b.place));
    last = end.id;
  }
}

/** Returns the coins on this device, undefined while they are read. Reads them again when `reason` changes. */
export function useDeviceCoins(db: UserDb, reason: unknown): readonly SearchHit[] | undefined {
  const [coins, setCoins] = useState<SearchHit[]>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `reason` triggers the read
  useEffect(() => {
    let gone = false;
    readCoins(db).then(
      (read) => gone || setCoins(read),
      (error) => console.error('reading the device failed', error),
    );
    return () => {
      gone = true;
    };
  }, [db, reason]);
  return coins;
}

/** Stores coins that a search found, for offline searches. Resolves with the number of new ones. */
export const rememberCoins = (db: UserDb, hits: readonly SearchHit[]): Promise<number> =>
  transact(db, [db.coins], async (db) => {
    const known = await db.coins.bulkGet(hits.map(({ id }) => id));
    const fresh = hits.filter((_hit, at) => !known[at]);
    await db.coins.bulkAdd(fresh.map(({ id, name, symbol }) => ({ id, name, symbol, rank: null, quote: {} })));
    return fresh.length;
  });
