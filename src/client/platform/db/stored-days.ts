import type { ChartPeriod } from '#contract/market/chart-candles.ts';
import { DAY } from '#domain/clock.ts';
import type { CandlesRow, UserDb } from './user-db.ts';

/** Periods with daily candles, the longest first. */
const DAILY: readonly ChartPeriod[] = ['ALL', '1Y', '3M', '1M'];

/** Returns the key of a coin's candles in a period. */
export const candlesKey = (coinId: number, period: ChartPeriod): string => `candles/${coinId}/${period}`;

/** Returns the longest chart of days that the device has of a coin. */
export async function storedDays(db: UserDb, coinId: number): Promise<CandlesRow | undefined> {
  const rows = await db.candles.bulkGet(DAILY.map((period) => candlesKey(coinId, period)));
  return rows.find((row) => row !== undefined && row.interval === DAY && row.candles.length > 0);
}
