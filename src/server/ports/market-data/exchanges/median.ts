export interface Weighted {
  value: number;
  /** Not negative. */
  weight: number;
}

/** Returns the median; NaN without values. */
export const median = (values: readonly number[]): number => weightedMedian(values.map((value) => ({ value, weight: 1 })));

/** Returns the value at which half of the weight is below; the mean of two values where the half is between them. NaN without weight. */
export function weightedMedian(entries: readonly Weighted[]): number {
  const sorted = [...entries].sort((a, b) => a.value - b.value);
  const half = sorted.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let below = 0;
  for (const [index, { value, weight }] of sorted.entries()) {
    below += weight;
    if (below > half) return value;
    const next = sorted[index + 1];
    if (below === half && next && half > 0) return (value + next.value) / 2;
  }
  return Number.NaN;
}

/** Returns whether a value is at most `share` off another one. */
export const isNear = (value: number, other: number, share: number): boolean => Math.abs(value - other) <= share * other;
