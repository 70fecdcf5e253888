import type { InkMap } from './inks';
import type { Piece } from './pieces';

/** How thick wicks are drawn, pixels: more than one on dense screens, and where a picture was enlarged. */
export function penOf({ width, height, ink }: InkMap, inks: ReadonlySet<number>, path: readonly Piece[]): number {
  const widths: number[] = [];
  for (const { x, top, bottom, bodyTop, bodyBottom } of path) {
    const rows = [...(bodyTop - top >= 6 ? [(top + bodyTop) >> 1] : []), ...(bottom - bodyBottom >= 6 ? [(bottom + bodyBottom) >> 1] : [])];
    for (const y of rows) widths.push(across(Math.round(x), Math.min(height - 1, y)));
  }
  widths.sort((a, b) => a - b);
  return Math.max(1, widths[widths.length >> 1] ?? 1);

  function across(x: number, y: number): number {
    const isInk = (column: number) => column >= 0 && column < width && inks.has(ink[y * width + column] as number);
    let left = x;
    while (isInk(left - 1)) left--;
    let right = x;
    while (isInk(right + 1)) right++;
    return right - left + 1;
  }
}

/**
 * Prices are where the pen was put down, and not where its edge is: its upper edge on crisp screens, nearer to its middle in
 * enlarged pictures, so that highs move a little and lows more.
 */
export const underPen = (piece: Piece, pen: number): Piece => ({
  ...piece,
  top: piece.top + 0.25 * Math.max(0, pen - 2),
  bottom: piece.bottom - 0.5 * Math.max(0, pen - 2),
});
