import { gap } from './follow-price.ts';
import type { Piece } from './pieces.ts';
import type { Shape } from './shapes.ts';

/** Minimum share of candles that touch no other. A line cut into columns has none. */
export const ENOUGH_CLEAR = 0.25;

export function shareOfClear(path: readonly Piece[], shapes: readonly Shape[]): number {
  const clear = path.filter(({ x, top, bottom }) =>
    shapes.some(
      (shape) =>
        Math.abs(shape.x - x) <= 1.5 && shape.top <= bottom && shape.bottom >= top && shape.bottom - shape.top >= 0.5 * (bottom - top),
    ),
  );
  return clear.length / path.length;
}

/** Tests for a Renko chart, which has no time axis: bodies of one height without wicks, each at a corner of the last. */
export function isBricks(path: readonly Piece[]): boolean {
  const heights = path.map(({ top, bottom }) => bottom - top + 1).sort((a, b) => a - b);
  const middle = heights[heights.length >> 1] as number;
  return middle >= 4 && heights.filter((height) => Math.abs(height - middle) <= 1 + 0.1 * middle).length >= 0.85 * heights.length;
}

/** Tests for bars on one baseline, such as a volume chart. */
export function isColumns(path: readonly Piece[]): boolean {
  const bottoms = path.map(({ bottom }) => bottom).sort((a, b) => a - b);
  const middle = bottoms[bottoms.length >> 1] as number;
  const tops = new Set(path.map(({ top }) => top));
  return tops.size >= 0.3 * path.length && bottoms.filter((bottom) => Math.abs(bottom - middle) <= 2).length >= 0.7 * bottoms.length;
}

const wicked = ({ top, bottom, bodyTop, bodyBottom }: Piece) => bodyTop - top + bottom - bodyBottom >= 2;

export function scoreOf(path: readonly Piece[]): number {
  const heights = path.map(({ top, bottom }) => bottom - top + 1).sort((a, b) => a - b);
  const middle = heights[heights.length >> 1] as number;
  let joined = 0;
  let aligned = 0;
  for (let index = 1; index < path.length; index++) {
    const [one, two] = [path[index - 1] as Piece, path[index] as Piece];
    if (gap(one, two) <= Math.max(2, 0.3 * middle)) joined++;
    if (one.top === two.top || one.bottom === two.bottom) aligned++;
  }
  const range = Math.max(...path.map(({ bottom }) => bottom)) - Math.min(...path.map(({ top }) => top));
  const places = (path.at(-1)?.place as number) - (path[0]?.place as number) + 1;
  const share = {
    joined: joined / (path.length - 1),
    wicked: Math.min(1, path.filter(wicked).length / (0.5 * path.length)),
    full: path.length / places,
    wide: Math.min(1, range / (3 * middle)),
    // Letters share a baseline and a top line.
    free: isColumns(path) ? 1 : Math.min(1, Math.max(0, (0.75 - aligned / (path.length - 1)) / 0.35)),
    many: Math.min(1, 0.35 + path.length / 40),
  };
  return share.joined * Math.sqrt(share.wicked) * share.full * share.wide * share.free * share.many;
}
