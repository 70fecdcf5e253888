import { useEffect, useState } from 'react';
import type { UserDb } from '#client/platform/db/user-db.ts';
import type { SearchHit } from '#contract/market/market.ts';

/** So many rows are read at a time, so that typing goes on in between. */
const WINDOW = 500;

/** Every coin that this device has met, by rank. */
async function readCoins(db: UserDb): Promise<SearchHit[]> {
  const coins: (SearchHit & { place: number })[] = [];
  let last = 0;
  for (;;) {
    const rows = await db.coins.where('id').above(last).limit(WINDOW).toArray();
    for (const { id, name, symbol, rank } of rows) coins.push({ id, name, symbol, place: rank ?? Number.POSITIVE_INFINITY });
    const end = rows.at(-1);
    if (!end) return coins.sort((a, b) => (a.place === b.place ? a.id - b.id : a.place - b.place));
    last = end.id;
  }
}

/** The coins on this device; undefined while they are read. They are read anew when `reason` changes. */
export function useDeviceCoins(db: UserDb, reason: unknown): readonly SearchHit[] | undefined {
  const [coins, setCoins] = useState<SearchHit[]>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the reason is not read
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

/** Keeps coins that a search found, for searches without a connection. Resolves with how many were new. */
export const rememberCoins = (db: UserDb, hits: readonly SearchHit[]): Promise<number> =>
  db.transaction('rw', db.coins, async () => {
    const known = await db.coins.bulkGet(hits.map(({ id }) => id));
    const fresh = hits.filter((_hit, at) => !known[at]);
    await db.coins.bulkAdd(fresh.map(({ id, name, symbol }) => ({ id, name, symbol, rank: null, quote: {} })));
    return fresh.length;
  });
