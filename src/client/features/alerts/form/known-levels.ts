import { useUserLive } from '#client/platform/cache/use-live.ts';
import { storedDays } from '#client/platform/db/stored-days.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { findLevels } from '#domain/market/levels.ts';

export interface KnownLevel {
  name: 'Support' | 'Resistance';
  /** USD, rounded to five digits. */
  price: number;
}

/** How many levels on each side of the price the form offers. */
const EACH_SIDE = 2;
const REACH = 3;
const TOLERANCE = 0.015;
const MIN_CANDLES = 30;

/** Returns the support and resistance next to a price, from the daily candles that the device has of the coin. */
async function readLevels(db: UserDb, coinId: number, price: number): Promise<KnownLevel[]> {
  const { candles = [] } = (await storedDays(db, coinId)) ?? {};
  if (candles.length < MIN_CANDLES) return [];
  const bars = candles.map((candle) => ({ ...candle, volume: candle.volume ?? 0 }));
  const levels = findLevels(bars, { reach: REACH, tolerance: TOLERANCE, price });
  const below = levels.filter((level) => level.price < price).slice(-EACH_SIDE);
  const above = levels.filter((level) => level.price > price).slice(0, EACH_SIDE);
  return [...below, ...above].map((level) => ({
    name: level.price < price ? 'Support' : 'Resistance',
    price: Number(level.price.toPrecision(5)),
  }));
}

/** Returns levels near the price of a coin; none until the device is read, or without a chart. */
export function useKnownLevels(coinId: number | undefined, price: number | null | undefined): readonly KnownLevel[] {
  const known = useUserLive(coinId !== undefined && price != null ? `levels/${coinId}` : null, (db) =>
    readLevels(db, coinId ?? 0, price ?? 0),
  );
  return known ?? [];
}
