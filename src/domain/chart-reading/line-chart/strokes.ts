import type { InkMap } from '../pixels/inks.ts';

/** Connected pixels of the wanted inks: top row, bottom row and number of pixels in each column. */
export interface Stroke {
  left: number;
  top: Int32Array;
  bottom: Int32Array;
  filled: Int32Array;
  area: number;
}

/** Joins pieces one pixel apart, because smooth edges and crossing lines interrupt strokes. */
export function strokesOf({ width, height, ink }: InkMap, wanted: ReadonlySet<number>): Stroke[] {
  const seen = new Uint8Array(ink.length);
  const strokes: Stroke[] = [];
  const stack: number[] = [];
  for (let start = 0; start < ink.length; start++) {
    if (seen[start] || !wanted.has(ink[start] as number)) continue;
    const pixels: number[] = [];
    seen[start] = 1;
    stack.push(start);
    let left = width;
    let right = 0;
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      pixels.push(at);
      const x = at % width;
      const y = (at - x) / width;
      left = Math.min(left, x);
      right = Math.max(right, x);
      for (let dy = -2; dy <= 2; dy++) {
        for (let dx = -2; dx <= 2; dx++) {
          const nx = x + dx;
          const ny = y + dy;
          if (nx < 0 || ny < 0 || nx >= width || ny >= height) continue;
          const next = ny * width + nx;
          if (seen[next] || !wanted.has(ink[next] as number)) continue;
          seen[next] = 1;
          stack.push(next);
        }
      }
    }
    if (right - left < Math.max(10, 0.01 * width)) continue;
    const columns = right - left + 1;
    const stroke: Stroke = {
      left,
      top: new Int32Array(columns).fill(height),
      bottom: new Int32Array(columns).fill(-1),
      filled: new Int32Array(columns),
      area: pixels.length,
    };
    for (const at of pixels) {
      const x = (at % width) - left;
      const y = (at - left - x) / width;
      stroke.top[x] = Math.min(stroke.top[x] as number, y);
      stroke.bottom[x] = Math.max(stroke.bottom[x] as number, y);
      stroke.filled[x] = (stroke.filled[x] as number) + 1;
    }
    strokes.push(stroke);
  }
  return strokes;
}

export interface Look {
  /** Columns with one stretch of ink. */
  single: number;
  /** Ink per pixel of the stroke's length, in windows of a few columns. */
  breadths: number[];
  /** Columns with a lone spike up or down, like wicks. */
  ups: number;
  downs: number;
}

/** Columns per window. */
const WINDOW = 9;

export function lookOf({ top, bottom, filled }: Stroke): Look {
  let single = 0;
  for (let x = 0; x < top.length; x++) {
    const rows = (bottom[x] as number) - (top[x] as number) + 1;
    if (rows > 0 && (filled[x] as number) >= 0.75 * rows) single++;
  }
  const middle = (x: number) => ((top[x] as number) + (bottom[x] as number)) / 2;
  const breadths: number[] = [];
  for (let start = 0; start + WINDOW < top.length; start += WINDOW) {
    let area = 0;
    let length = 0;
    for (let x = start; x < start + WINDOW; x++) {
      area += filled[x] as number;
      length += Math.hypot(1, middle(x + 1) - middle(x));
    }
    breadths.push(area / length);
  }
  let ups = 0;
  let downs = 0;
  for (let x = 1; x + 1 < top.length; x++) {
    const [before, here, after] = [top[x - 1], top[x], top[x + 1]] as [number, number, number];
    const [under, foot, beyond] = [bottom[x - 1], bottom[x], bottom[x + 1]] as [number, number, number];
    if (here <= before - 2 && here <= after - 2 && foot >= Math.max(under, beyond) - 1) ups++;
    if (foot >= under + 2 && foot >= beyond + 2 && here <= Math.min(before, after) + 1) downs++;
  }
  return { single: single / top.length, breadths, ups, downs };
}
