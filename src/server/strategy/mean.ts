/** Units per USD. */
const PARTS = 10_000;

/**
 * Creates a moving mean of the last `length` prices, or of fewer at the start. It sums whole units, so that removed prices leave no
 * rounding error: equal prices always give the same mean, to the last bit.
 */
export function createMean(length: number): (price: number) => number {
  const kept = new Array<number>(length).fill(0);
  let seen = 0;
  let sum = 0;
  return (price) => {
    const parts = Math.round(price * PARTS);
    const place = seen % length;
    sum += parts - (kept[place] ?? 0);
    kept[place] = parts;
    seen++;
    return sum / Math.min(seen, length) / PARTS;
  };
}
