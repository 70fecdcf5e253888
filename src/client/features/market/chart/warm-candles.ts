import { idle } from '#client/platform/after-content.ts';
import { isMissing } from '#client/platform/api/errors.ts';
import { load } from '#client/platform/cache/resource.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { isReachable } from '#client/platform/live/reachability.ts';
import { isDataCheap } from '#client/platform/preload-when-idle.ts';
import { DAY } from '#domain/clock.ts';
import { candlesResource } from './candles-resource.ts';

/** Coins of the watchlist whose charts are kept, from its top. */
const MAX_COINS = 20;
/** The year has the candles of the shorter daily periods too, and the week those of the day. */
const PERIODS = ['1Y', '7D'] as const;

/**
 * Stores the candles of the watchlist, so that their charts open offline: one chart each idle period, once a day. Stops without
 * a connection, while the user saves data and after a failure; the next visit goes on.
 */
export async function warmCandles(db: UserDb, now = Date.now): Promise<void> {
  const watched = await db.watchlist.toArray();
  const first = watched.sort((a, b) => a.place - b.place).slice(0, MAX_COINS);
  const charts = PERIODS.flatMap((period) => first.map(({ id }) => ({ id, period })));
  for (const params of charts) {
    const stamp = await db.stamps.get(candlesResource.key(params));
    if (stamp && now() - stamp.savedAt < DAY && now() >= stamp.savedAt) continue;
    await idle();
    if (!isReachable() || !isDataCheap()) return;
    await load(db, candlesResource, params, now).catch((error) => {
      // A coin that left the market must not keep the others from loading.
      if (!isMissing(error)) throw error;
    });
  }
}
