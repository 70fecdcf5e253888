import type { Glyph } from './glyphs.ts';
import type { Strip } from './strip.ts';

/** Size of the grid that a glyph is scaled to: it fills the height, and its width stays in proportion and centered. */
export const COLUMNS = 10;
export const ROWS = 10;
/** Samples per cell, in each direction. */
const SAMPLES = 3;

/** Returns how much of each cell the glyph fills, 0 to 1, row by row. `full` is the contrast of a filled pixel. */
export function toCells({ contrast, width }: Strip, { left, right, top, bottom }: Glyph, full: number): Float32Array {
  const cells = new Float32Array(COLUMNS * ROWS);
  const size = (bottom - top + 1) / ROWS;
  const middle = (left + right + 1) / 2;
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      let sum = 0;
      for (let dy = 0; dy < SAMPLES; dy++) {
        const y = Math.floor(top + (row + (dy + 0.5) / SAMPLES) * size);
        for (let dx = 0; dx < SAMPLES; dx++) {
          const x = Math.floor(middle + (column - COLUMNS / 2 + (dx + 0.5) / SAMPLES) * size);
          if (x >= left && x <= right) sum += Math.min(1, (contrast[y * width + x] as number) / full);
        }
      }
      cells[row * COLUMNS + column] = sum / SAMPLES ** 2;
    }
  }
  return cells;
}
