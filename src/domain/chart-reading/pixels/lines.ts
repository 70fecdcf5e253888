import { BACKGROUND, type InkMap, OTHER } from './inks.ts';

/** Maximum thickness of a drawn line, in rows. */
const THICKEST = 4;

/**
 * Turns horizontal lines (prices, levels, crosshairs; solid, dashed or dotted) into OTHER, so that they don't connect candles. A
 * line is a row with much of one ink between rows with little of it.
 */
export function removeLines({ width, height, ink }: InkMap): void {
  const counts = new Uint32Array(256 * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0, at = y * width; x < width; x++, at++) {
      const of = (ink[at] as number) * height + y;
      counts[of] = (counts[of] as number) + 1;
    }
  }
  for (let number = 1; number < OTHER; number++) {
    const rows = counts.subarray(number * height, (number + 1) * height);
    for (let y = 0; y < height; y++) {
      const count = rows[y] as number;
      if (count < 0.2 * width) continue;
      const above = around(rows, y - THICKEST - 1);
      const below = around(rows, y + THICKEST + 1);
      if (count < 2.5 * Math.max(above, below) || count - Math.max(above, below) < 0.15 * width) continue;
      for (let x = 0; x < width; x++) if (isThin(ink, width, height, x, y, number)) ink[y * width + x] = OTHER;
    }
  }
}

const around = (rows: Uint32Array, y: number) => (rows[Math.min(rows.length - 1, Math.max(0, y))] as number) ?? 0;

function isThin(ink: Uint8Array, width: number, height: number, x: number, y: number, number: number): boolean {
  if (ink[y * width + x] !== number) return false;
  let run = 1;
  for (let up = y - 1; up >= 0 && run <= THICKEST && isOf(ink[up * width + x] as number, number); up--) run++;
  for (let down = y + 1; down < height && run <= THICKEST && isOf(ink[down * width + x] as number, number); down++) run++;
  return run <= THICKEST;
}

/** Rows of the line that are done are OTHER. */
const isOf = (seen: number, number: number) => seen !== BACKGROUND && (seen === number || seen === OTHER);
