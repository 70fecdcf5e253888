import type { InkMap } from './inks';
import type { Piece } from './pieces';

/** Share of the pieces that may be letters at an end. */
const STRAYS = 0.08;

/** The tag of the last price is drawn in a candle's colour too: at either end, a row of pieces that are alike. */
export function withoutTags(path: readonly Piece[]): readonly Piece[] {
  const isLike = (a: Piece | undefined, b: Piece | undefined) =>
    a && b && b.bottom - b.top >= 5 && Math.abs(a.top - b.top) <= 1 && Math.abs(a.bottom - b.bottom) <= 1;
  let from = 0;
  while (isLike(path[from], path[from + 1])) from++;
  let to = path.length - 1;
  while (isLike(path[to], path[to - 1])) to--;
  return path.slice(from >= 2 ? from + 1 : 0, to <= path.length - 3 ? to : path.length);
}

/** A few pieces beyond an empty place at either end are letters of an axis. */
export function withoutStrays(path: readonly Piece[]): readonly Piece[] {
  const most = Math.max(3, Math.floor(STRAYS * path.length));
  const follows = (index: number) => (path[index]?.place ?? 0) - (path[index - 1]?.place ?? 0) === 1;
  let from = 0;
  let to = path.length;
  for (let index = 1; index <= most; index++) if (index < path.length && !follows(index)) from = index;
  for (let index = path.length - 1; index >= path.length - most; index--) if (index > from && !follows(index)) to = index;
  return path.slice(from, to);
}

/** What goes on to both sides is an area or a label; a candle ends where its body ends. */
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
