import type { UserDb } from '#client/platform/db/user-db.ts';
import { toCsv } from '#domain/market/watchlist-csv.ts';
import { isMove } from '../heart-commands.ts';
import { readWatched } from '../watched.ts';

/** Returns the watchlist as a CSV file, in its order, from this device. */
export async function watchlistFile(db: UserDb): Promise<Blob> {
  const { ids, commands } = await readWatched(db);
  const coins = await db.coins.bulkGet(ids);
  const waiting = commands.flatMap(({ body }) => (isMove(body) ? [] : body));
  const rows = ids.map((id, at) => {
    const added = waiting.find(({ cryptoId }) => cryptoId === id);
    return { id, symbol: coins[at]?.symbol ?? added?.cryptoSymbol ?? '', name: coins[at]?.name ?? added?.cryptoName ?? '' };
  });
  return new Blob([toCsv(rows)], { type: 'text/csv;charset=utf-8' });
}
