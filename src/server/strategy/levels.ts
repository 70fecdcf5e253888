import type { Pivot } from './pivots.ts';
import type { Level } from './signal.ts';

export interface LevelOptions {
  /** USD; a pivot belongs to a level when it is no farther from the mean of those before it, counted from below. */
  tolerance: number;
  /** Age at which a touch counts half, ms. */
  halfLife: number;
  /** The time now, ms. */
  at: number;
}

/** Prices where the market turned, lowest first. The pivots are ordered by price. A fresh touch is worth 1. */
export function clusterLevels(pivots: readonly Pivot[], { tolerance, halfLife, at }: LevelOptions): Level[] {
  const levels: Level[] = [];
  let sum = 0;
  for (const { price, time, kind } of pivots) {
    const worth = 2 ** ((time - at) / halfLife);
    const level = levels.at(-1);
    if (level && price - level.price <= tolerance) {
      sum += price;
      level.touches++;
      level.price = sum / level.touches;
      level.strength += worth;
      if (time < level.firstTouch) level.firstTouch = time;
      if (time > level.lastTouch) {
        level.lastTouch = time;
        level.turned = kind;
      }
    } else {
      sum = price;
      levels.push({ price, touches: 1, firstTouch: time, lastTouch: time, strength: worth, turned: kind });
    }
  }
  return levels;
}

/** Puts a pivot where its price belongs; of equal prices, the older one comes first. */
export function insertPivot(pivots: Pivot[], pivot: Pivot): void {
  let low = 0;
  let high = pivots.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = pivots[middle] as Pivot;
    if (other.price < pivot.price || (other.price === pivot.price && other.time <= pivot.time)) low = middle + 1;
    else high = middle;
  }
  pivots.splice(low, 0, pivot);
}
