import { loadAhead } from '#client/platform/cache/use-resource.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { currentDb } from '#client/platform/session/current-db.ts';
import { totalsResource } from './home/totals-resource.ts';
import { warmCoinImages } from './warm-coin-images.ts';

/** Keeps coin images, the watchlist's charts and Home's first figures on the device. Throws without a connection or after a sign-out. */
export async function keepOffline(userId: string): Promise<void> {
  const db = await currentDb(userId);
  const { warmCandles } = await import('./chart/warm-candles.ts');
  await Promise.all([warmCoinImages(db), warmCandles(db), firstTotals(db)]);
}

/** Home fetches its figures when it opens; until its first visit the device has none. */
async function firstTotals(db: UserDb): Promise<void> {
  if (!(await totalsResource.read(db, {}, false))) await loadAhead(db, totalsResource, {});
}
