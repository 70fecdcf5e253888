import type { IndicatorLevel } from '#contract/market/indicator.ts';

/** Returns the levels nearest to the price, highest first: at most `count` on each side. */
export function nearestLevels(levels: readonly IndicatorLevel[], price: number, count: number): IndicatorLevel[] {
  const above = levels.filter((level) => level.price >= price).sort((a, b) => a.price - b.price);
  const below = levels.filter((level) => level.price < price).sort((a, b) => b.price - a.price);
  return [...above.slice(0, count).reverse(), ...below.slice(0, count)];
}

/** Labels a strength from 0 to 1, where 1 is the strongest level on record. */
export const strengthLabel = (strength: number): string => (strength >= 0.7 ? 'strong' : strength >= 0.4 ? 'fair' : 'weak');
