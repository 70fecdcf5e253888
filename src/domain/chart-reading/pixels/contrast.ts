import type { Raster } from './picture.ts';

/** Returns each pixel's difference in brightness from its row's and its column's typical value, which cancels lines. */
export function contrastOf({ width, height, rgb }: Raster): Float32Array {
  const bright = new Float32Array(width * height);
  for (let at = 0, from = 0; at < bright.length; at++, from += 3)
    bright[at] = 0.299 * (rgb[from] as number) + 0.587 * (rgb[from + 1] as number) + 0.114 * (rgb[from + 2] as number);
  const middle = medianOf(bright, 0, 1, bright.length);
  for (let y = 0; y < height; y++) {
    const usual = medianOf(bright, y * width, 1, width);
    for (let x = 0; x < width; x++) bright[y * width + x] = (bright[y * width + x] as number) - usual;
  }
  const sign = middle < 128 ? 1 : -1;
  for (let x = 0; x < width; x++) {
    const usual = medianOf(bright, x, width, height);
    for (let y = 0; y < height; y++) bright[y * width + x] = Math.max(0, sign * ((bright[y * width + x] as number) - usual));
  }
  return bright;
}

const counts = new Uint32Array(512);

function medianOf(values: Float32Array, first: number, step: number, count: number): number {
  counts.fill(0);
  for (let index = 0; index < count; index++) {
    const bin = 255 + Math.round(values[first + index * step] as number);
    counts[bin] = (counts[bin] as number) + 1;
  }
  let seen = 0;
  for (let bin = 0; bin < counts.length; bin++) {
    seen += counts[bin] as number;
    if (2 * seen >= count) return bin - 255;
  }
  return 0;
}
