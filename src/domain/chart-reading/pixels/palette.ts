import type { Raster } from './picture.ts';

export interface Color {
  red: number;
  green: number;
  blue: number;
  /** Pixels of this color in the picture. */
  count: number;
  /** Pixels with equal neighbors to the right, below and between. Smooth edges and thin lines have none. */
  solid: number;
}

export interface Palette {
  /** The picture's colors, most frequent first. */
  colors: Color[];
  /** The occurring shades, of 32,768 with five bits per channel. */
  shades: Uint32Array;
}

/** Minimum share of the picture for a color; rarer ones are blends. */
const MIN_SHARE = 0.0003;
const MAX_COLORS = 40;
/** RGB distance within which two shades are one color. */
export const SAME_COLOR = 26;

export const shadeOf = (red: number, green: number, blue: number): number => ((red >> 3) << 10) | ((green >> 3) << 5) | (blue >> 3);

export const colorOf = (shade: number) => ({
  red: ((shade >> 10) << 3) + 4,
  green: (((shade >> 5) & 31) << 3) + 4,
  blue: ((shade & 31) << 3) + 4,
});

export type Shade = Pick<Color, 'red' | 'green' | 'blue'>;

export function distance(a: Shade, b: Shade): number {
  return Math.hypot(a.red - b.red, a.green - b.green, a.blue - b.blue);
}

/** Returns a picture's palette. Screens use few colors; shades from anti-aliasing and compression join the nearest one. */
export function findPalette({ rgb, width, height }: Raster): Palette {
  const shades = new Uint32Array(32768);
  const solids = new Uint32Array(32768);
  let above = new Uint16Array(width);
  let row = new Uint16Array(width);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      const shade = shadeOf(rgb[at] as number, rgb[at + 1] as number, rgb[at + 2] as number);
      shades[shade] = (shades[shade] as number) + 1;
      row[x] = shade;
      if (y > 0 && x > 0 && row[x - 1] === shade && above[x] === shade && above[x - 1] === shade)
        solids[shade] = (solids[shade] as number) + 1;
    }
    [above, row] = [row, above];
  }
  const used: number[] = [];
  for (let shade = 0; shade < shades.length; shade++) if ((shades[shade] as number) > 2) used.push(shade);
  used.sort((a, b) => (shades[b] as number) - (shades[a] as number));

  const least = Math.max(24, MIN_SHARE * width * height);
  const colors: Color[] = [];
  for (const shade of used) {
    const count = shades[shade] as number;
    const color = colorOf(shade);
    const same = colors.find((known) => distance(known, color) < SAME_COLOR);
    const solid = solids[shade] as number;
    if (same) {
      same.count += count;
      same.solid += solid;
    } else if (colors.length < MAX_COLORS && count * 4 > least) colors.push({ ...color, count, solid });
  }
  return { colors: colors.filter(({ count }) => count >= least).sort((a, b) => b.count - a.count), shades };
}

/** Tests for a drawn picture, not a photo: most of it repeats one shade. */
export function isDrawn(colors: readonly Color[], area: number): boolean {
  const solid = colors.reduce((sum, color) => sum + color.solid, 0);
  return solid >= 0.45 * area || (colors[0]?.count ?? 0) >= 0.6 * area;
}

/** Number of main shades. */
const MAIN_SHADES = 6;
const APART = 48;

/** Returns the share of drawn pixels in the main shades, 0 to 1. A picture that was scaled down a lot has a low share. */
export function shareOfMain({ colors, shades }: Palette): number {
  const background = colors[0];
  if (!background) return 1;
  const counts: number[] = [];
  for (let shade = 0; shade < shades.length; shade++) {
    const count = shades[shade] as number;
    if (count > 0 && distance(colorOf(shade), background) >= APART) counts.push(count);
  }
  const sum = (all: readonly number[]) => all.reduce((total, count) => total + count, 0);
  return sum(counts.sort((a, b) => b - a).slice(0, MAIN_SHADES)) / Math.max(1, sum(counts));
}
