/** Parts of a USD that prices are counted in here. */
const PARTS = 10_000;

/**
 * The mean of the last `length` prices, or of as many as there were. Counted in whole parts, so that what is added and later
 * taken away leaves nothing behind: the mean depends on those prices alone, to the last bit.
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
