import { loadAhead } from '#client/platform/cache/use-resource.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { currentDb } from '#client/platform/session/current-db.ts';
import { DEFAULT_CHOICE } from '#domain/market/list-address.ts';
import { totalsResource } from './home/totals-resource.ts';
import { coinListResource } from './list/coin-list-resource.ts';
import { warmCoinImages } from './warm-coin-images.ts';

/** Keeps coin images, the watchlist's charts and Home's first figures on the device. Throws without a connection or after a sign-out. */
export async function keepOffline(userId: string): Promise<void> {
  const db = await currentDb(userId);
  const { warmCandles } = await import('./chart/warm-candles.ts');
  await Promise.all([loadBitcoinSign(), warmCoinImages(db), warmCandles(db), firstTotals(db)]);
}

/** A font file of 1 kB: loaded with the first price in bitcoin, it would lay out the list twice. */
const loadBitcoinSign = () => document.fonts?.load('1em "Inter Variable"', '₿').catch(() => undefined);

/** Keeps a market list on the device, from which the device can answer questions. Throws without a connection or after a sign-out. */
export async function keepList(userId: string): Promise<void> {
  const db = await currentDb(userId);
  if (!(await coinListResource.read(db, DEFAULT_CHOICE, false))) await loadAhead(db, coinListResource, DEFAULT_CHOICE);
}

/** Home fetches its figures when it opens; until its first visit the device has none. */
async function firstTotals(db: UserDb): Promise<void> {
  if (!(await totalsResource.read(db, {}, false))) await loadAhead(db, totalsResource, {});
}
