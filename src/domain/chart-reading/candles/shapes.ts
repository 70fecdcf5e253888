import { type Blob, findBlobs } from '../pixels/blobs.ts';
import type { InkMap } from '../pixels/inks.ts';

/** candle: a body with a wick; box: a body alone; bar: a stem with a tick on each side. */
export type ShapeKind = 'candle' | 'box' | 'bar';

export interface Shape {
  kind: ShapeKind;
  ink: number;
  /** Middle column of the body or stem. */
  x: number;
  /** Width of the body, or of a bar with its ticks, in columns. */
  width: number;
  top: number;
  /** Last row. */
  bottom: number;
  bodyTop: number;
  bodyBottom: number;
}

/** Returns every shape that could be a candle or a bar. */
export const findShapes = (map: InkMap): Shape[] =>
  findBlobs(map, { least: 2, widest: Math.max(16, map.width / 7) }).flatMap((blob) => shapeOf(blob) ?? []);

/** Classifies a blob. Undefined if no part of a price chart resembles it. */
function shapeOf(blob: Blob): Shape | undefined {
  const { from, to, top, bottom, left, right, ink } = blob;
  const rows = bottom - top + 1;
  const width = right - left + 1;
  if (width < 3) return undefined;

  const wideFrom = width < 8 ? width - 1 : 0.85 * width;
  const narrowTo = Math.max(1, 0.5 * width);
  let firstWide = -1;
  let lastWide = -1;
  let wide = 0;
  let narrow = 0;
  for (let row = 0; row < rows; row++) {
    const extent = (to[row] as number) - (from[row] as number) + 1;
    if (extent >= wideFrom) {
      if (firstWide < 0) firstWide = row;
      lastWide = row;
      wide++;
    } else if (extent <= narrowTo) narrow++;
  }
  const place = { ink, top, bottom, bodyTop: top + firstWide, bodyBottom: top + lastWide };
  const x = (left + right) / 2;
  const odd = rows - wide - narrow;
  const holes = lastWide - firstWide + 1 - wide;
  if (wide > 0 && odd <= Math.max(2, 0.1 * rows) && holes <= 0.15 * wide) {
    const slack = width < 6 ? 1 : 0.2 * width + 0.5;
    let wick = 0;
    for (let row = 0; row < rows; row++) {
      if (row >= firstWide && row <= lastWide) continue;
      if (Math.abs(((to[row] as number) + (from[row] as number)) / 2 - x) > slack) return barOf(blob);
      if ((to[row] as number) - (from[row] as number) + 1 <= narrowTo) wick++;
    }
    return { kind: wick > 0 ? 'candle' : 'box', x, width, ...place };
  }
  return barOf(blob);
}

/** Returns a stem with one short tick on each side at different heights. */
function barOf({ from, to, top, bottom, left, right, ink }: Blob): Shape | undefined {
  const rows = bottom - top + 1;
  if (rows < 4) return undefined;
  const starts = [...from].sort((a, b) => b - a);
  const ends = [...to].sort((a, b) => a - b);
  const stemLeft = starts[rows >> 2] as number;
  const stemRight = ends[rows >> 2] as number;
  const stem = stemRight - stemLeft + 1;
  const reachLeft = stemLeft - left;
  const reachRight = right - stemRight;
  if (stem < 1 || reachLeft < 1 || reachRight < 1 || stem > 0.5 * (right - left + 1)) return undefined;
  if (Math.abs(reachLeft - reachRight) > Math.max(1, 0.35 * reachLeft)) return undefined;
  const onLeft: number[] = [];
  const onRight: number[] = [];
  for (let row = 0; row < rows; row++) {
    if ((from[row] as number) < stemLeft) onLeft.push(row);
    if ((to[row] as number) > stemRight) onRight.push(row);
  }
  if (!isTick(onLeft, stem) || !isTick(onRight, stem)) return undefined;
  const open = top + ((onLeft[0] as number) + (onLeft.at(-1) as number)) / 2;
  const close = top + ((onRight[0] as number) + (onRight.at(-1) as number)) / 2;
  return {
    kind: 'bar',
    ink,
    x: (stemLeft + stemRight) / 2,
    width: right - left + 1,
    top,
    bottom,
    bodyTop: Math.min(open, close),
    bodyBottom: Math.max(open, close),
  };
}

const isTick = (rows: readonly number[], stem: number) =>
  rows.length > 0 && (rows.at(-1) as number) - (rows[0] as number) + 1 === rows.length && rows.length <= Math.max(2, 1.5 * stem);
