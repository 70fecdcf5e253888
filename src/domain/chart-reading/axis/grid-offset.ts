import type { Raster } from '../pixels/picture.ts';
import { heightOf } from './glyphs.ts';
import type { Label } from './labels.ts';

/** How far from a label's middle its grid line may be, in label heights. */
const REACH = 0.35;
/** Minimum difference of a line from the rows around it, summed over the three color channels. */
const MIN_STEP = 6;
/** Minimum share of columns that show the lines. */
const MIN_SHARE = 0.25;

/** Returns how many rows the grid lines are below the middles of their labels. Undefined without lines in these columns. */
export function offsetOfGrid(
  raster: Raster,
  labels: readonly Label[],
  { left, right }: { left: number; right: number },
): number | undefined {
  const height = labels[0] ? heightOf(labels[0]) : 0;
  const reach = Math.max(2, Math.round(REACH * height));
  const apart = Math.max(2, Math.round(height / 5));
  const middles = labels.map(({ top, bottom }) => (top + bottom) / 2);
  const shares = Array.from({ length: 2 * reach + 1 }, (_, index) => {
    const sum = middles.reduce((total, middle) => total + lineAt(raster, Math.floor(middle) + index - reach, { apart, left, right }), 0);
    return sum / middles.length;
  });
  const best = shares.indexOf(Math.max(...shares));
  if ((shares[best] as number) < MIN_SHARE) return undefined;
  // A line between two rows counts in both.
  let sum = 0;
  let offsets = 0;
  for (let index = Math.max(0, best - 1); index <= Math.min(2 * reach, best + 1); index++) {
    sum += shares[index] as number;
    offsets += (shares[index] as number) * (index - reach);
  }
  const fractions = middles.reduce((total, middle) => total + middle - Math.floor(middle), 0) / middles.length;
  return offsets / sum - fractions;
}

/** Returns the share of columns that show a line in this row. */
function lineAt(
  { rgb, width, height }: Raster,
  row: number,
  { apart, left, right }: { apart: number; left: number; right: number },
): number {
  if (row < apart || row >= height - apart) return 0;
  const step = apart * width * 3;
  let seen = 0;
  for (let x = left; x < right; x += 2) {
    const at = (row * width + x) * 3;
    if (differ(rgb, at, at - step) && differ(rgb, at, at + step) && !differ(rgb, at - step, at + step)) seen += 2;
  }
  return seen / Math.max(2, right - left);
}

const differ = (rgb: Uint8Array, one: number, other: number) =>
  Math.abs((rgb[one] as number) - (rgb[other] as number)) +
    Math.abs((rgb[one + 1] as number) - (rgb[other + 1] as number)) +
    Math.abs((rgb[one + 2] as number) - (rgb[other + 2] as number)) >=
  MIN_STEP;
