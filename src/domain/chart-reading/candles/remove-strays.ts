import { BACKGROUND, type InkMap } from '../pixels/inks.ts';
import { gap } from './follow-price.ts';
import type { Piece } from './pieces.ts';

/** Maximum share of pieces that may be letters at one end. */
const STRAYS = 0.08;

/** Removes the tag of the last price, which has a candle's color: a row of similar pieces at either end. */
export function withoutTags(path: readonly Piece[]): readonly Piece[] {
  const isLike = (a: Piece | undefined, b: Piece | undefined) =>
    a && b && b.bottom - b.top >= 5 && Math.abs(a.top - b.top) <= 1 && Math.abs(a.bottom - b.bottom) <= 1;
  let from = 0;
  while (isLike(path[from], path[from + 1])) from++;
  let to = path.length - 1;
  while (isLike(path[to], path[to - 1])) to--;
  return path.slice(from >= 2 ? from + 1 : 0, to <= path.length - 3 ? to : path.length);
}

/** Removes axis letters: a few pieces beyond an empty place at either end. */
export function withoutStrays(path: readonly Piece[]): readonly Piece[] {
  const most = Math.max(3, Math.floor(STRAYS * path.length));
  const follows = (index: number) => (path[index]?.place ?? 0) - (path[index - 1]?.place ?? 0) === 1;
  let from = 0;
  let to = path.length;
  for (let index = 1; index <= most; index++) if (index < path.length && !follows(index)) from = index;
  for (let index = path.length - 1; index >= path.length - most; index--) if (index > from && !follows(index)) to = index;
  // A price doesn't start or end with a jump.
  const heights = path.map(({ top, bottom }) => bottom - top + 1).sort((a, b) => a - b);
  const leap = 2 * Math.max(3, heights[heights.length >> 1] ?? 0);
  const leaps = (index: number) => gap(path[index] as Piece, path[index + 1] as Piece) > leap;
  while (from + 1 < to && from < most && leaps(from)) from++;
  while (to - 2 > from && path.length - to < most && leaps(to - 2)) to--;
  return path.slice(from, to);
}

/** Tests that a shape ends where its body ends. Areas and labels continue on both sides. */
export function standsAlone({ width, height, ink }: InkMap, inks: ReadonlySet<number>, piece: Piece, pitch: number): boolean {
  const rows = piece.bottom - piece.top + 1;
  if (rows > 0.8 * height) return false;
  const sides = [Math.round(piece.x - pitch / 2), Math.round(piece.x + pitch / 2)];
  return !sides.every((x) => {
    if (x < 0 || x >= width) return true;
    let filled = 0;
    for (let y = piece.top; y <= piece.bottom; y++) if (inks.has(ink[y * width + x] as number)) filled++;
    return filled > 0.7 * rows;
  });
}

/** Minimum rows of letters that make a price axis rather than candles with lines and volume. */
const MIN_LABELS = 5;

/** Removes pieces among the labels of a price axis at either end: these columns hold many shapes, one below another. */
export function withoutAxis(map: InkMap, path: readonly Piece[], width: number): readonly Piece[] {
  const counts = path.map(({ x }) => stretches(map, x, width));
  const usual = [...counts].sort((a, b) => a - b)[counts.length >> 1] ?? 0;
  const isAxis = counts.map((count) => count >= Math.max(MIN_LABELS, 2.5 * usual));
  const most = Math.ceil(0.15 * path.length);
  const share = (from: number, to: number) => isAxis.slice(from, to).filter(Boolean).length / Math.max(1, to - from);
  let from = 0;
  for (let end = 1; end <= most; end++) if (isAxis[end - 1] && share(0, end) >= 0.5) from = end;
  let to = path.length;
  for (let start = path.length - 1; start >= path.length - most; start--) if (isAxis[start] && share(start, path.length) >= 0.5) to = start;
  return path.slice(from, to);
}

/** Counts the stretches of ink in a column over the picture's whole height. */
function stretches({ width, height, ink }: InkMap, x: number, body: number): number {
  const left = Math.max(0, Math.round(x - body / 2));
  const right = Math.min(width - 1, Math.round(x + body / 2));
  let count = 0;
  let inside = false;
  for (let y = 0; y < height; y++) {
    let inked = false;
    for (let at = left; at <= right && !inked; at++) inked = ink[y * width + at] !== BACKGROUND;
    if (inked && !inside) count++;
    inside = inked;
  }
  return count;
}
