import { currentDb } from '#client/platform/session/current-db.ts';
import { warmCoinImages } from './warm-coin-images.ts';

/** Keeps coin images and the watchlist's charts on the device. Throws without a connection or after a sign-out. */
export async function keepOffline(userId: string): Promise<void> {
  const db = await currentDb(userId);
  const { warmCandles } = await import('./chart/warm-candles.ts');
  await Promise.all([warmCoinImages(db), warmCandles(db)]);
}
