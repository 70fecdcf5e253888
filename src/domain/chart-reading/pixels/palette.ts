import type { Raster } from './picture.ts';

export interface Colour {
  red: number;
  green: number;
  blue: number;
  /** Pixels of it in the picture. */
  count: number;
  /** Those among them with the same shade to the right, below and between: what smooth edges and thin lines have none of. */
  solid: number;
}

export interface Palette {
  /** The colours a picture is drawn in, the most frequent first. */
  colours: Colour[];
  /** Which of the 32,768 shades of five bits a channel occur. */
  shades: Uint32Array;
}

/** Inks share of a picture, below which a colour is taken for a blend of two others. */
const LEAST_SHARE = 0.0003;
const MOST_COLOURS = 40;
/** Distance in RGB within which two shades are one colour. */
export const SAME_COLOUR = 26;

export const shadeOf = (red: number, green: number, blue: number): number => ((red >> 3) << 10) | ((green >> 3) << 5) | (blue >> 3);

export const colourOf = (shade: number) => ({
  red: ((shade >> 10) << 3) + 4,
  green: (((shade >> 5) & 31) << 3) + 4,
  blue: ((shade & 31) << 3) + 4,
});

export type Shade = Pick<Colour, 'red' | 'green' | 'blue'>;

export function distance(a: Shade, b: Shade): number {
  return Math.hypot(a.red - b.red, a.green - b.green, a.blue - b.blue);
}

/** Screens are drawn in few colours. What anti-aliasing and compression made of them gathers around those. */
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

  const least = Math.max(24, LEAST_SHARE * width * height);
  const colours: Colour[] = [];
  for (const shade of used) {
    const count = shades[shade] as number;
    const colour = colourOf(shade);
    const same = colours.find((known) => distance(known, colour) < SAME_COLOUR);
    const solid = solids[shade] as number;
    if (same) {
      same.count += count;
      same.solid += solid;
    } else if (colours.length < MOST_COLOURS && count * 4 > least) colours.push({ ...colour, count, solid });
  }
  return { colours: colours.filter(({ count }) => count >= least).sort((a, b) => b.count - a.count), shades };
}

/** Whether a picture was drawn, on a screen or by a program, and not photographed: most of it is one shade beside itself. */
export function isDrawn(colours: readonly Colour[], area: number): boolean {
  const solid = colours.reduce((sum, colour) => sum + colour.solid, 0);
  return solid >= 0.45 * area || (colours[0]?.count ?? 0) >= 0.6 * area;
}

/** Shades that what is drawn is mostly in. */
const MAIN_SHADES = 6;
const APART = 48;

/** Which share of what is drawn has one of few shades, 0 to 1: in a picture that was made much smaller hardly any has. */
export function shareOfMain({ colours, shades }: Palette): number {
  const background = colours[0];
  if (!background) return 1;
  const counts: number[] = [];
  for (let shade = 0; shade < shades.length; shade++) {
    const count = shades[shade] as number;
    if (count > 0 && distance(colourOf(shade), background) >= APART) counts.push(count);
  }
  const sum = (all: readonly number[]) => all.reduce((total, count) => total + count, 0);
  return sum(counts.sort((a, b) => b - a).slice(0, MAIN_SHADES)) / Math.max(1, sum(counts));
}
