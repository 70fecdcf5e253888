import type { Pivot } from './pivots.ts';
import type { Level } from './signal.ts';

export interface LevelOptions {
  /** Largest distance of a pivot from the mean of the level's lower pivots, USD. */
  tolerance: number;
  /** Age at which a touch has half its strength, ms. */
  halfLife: number;
  /** Current time, ms. */
  at: number;
}

/** Groups pivots, ordered by price, into levels, lowest first. A new touch has strength 1. */
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

/** Inserts a pivot by price; at equal prices the older one comes first. */
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
