import { BACKGROUND, type InkMap, OTHER } from './inks.ts';
import { type Color, colorOf, distance, type Palette, type Shade, shadeOf } from './palette.ts';
import type { Raster } from './picture.ts';

/** Minimum chroma of a shade that has a hue, and its minimum distance from the background. */
const MIN_CHROMA = 36;
const MIN_CONTRAST = 48;
/** Degrees around a hue that count as the same hue, and minimum degrees between two. */
const SAME_HUE = 35;

/** Sorts a photo's pixels by hue, the one property that light, lens and compression keep. The two most frequent hues are 1 and 2. */
export function mapHues({ rgb, width, height }: Raster, { shades }: Palette, background: Color): InkMap {
  const weights = new Float64Array(360);
  const hues = new Int16Array(shades.length).fill(-1);
  for (let shade = 0; shade < shades.length; shade++) {
    const color = colorOf(shade);
    if (!shades[shade] || distance(color, background) < MIN_CONTRAST) continue;
    const hue = hueOf(color);
    if (hue === undefined) continue;
    hues[shade] = hue;
    weights[hue] = (weights[hue] as number) + (shades[shade] as number);
  }
  const first = strongest(weights, undefined);
  const second = strongest(weights, first);
  const byShade = new Uint8Array(shades.length).fill(BACKGROUND);
  for (let shade = 0; shade < shades.length; shade++) {
    const hue = hues[shade] as number;
    if (hue < 0) continue;
    byShade[shade] = between(hue, first) <= SAME_HUE ? 1 : between(hue, second) <= SAME_HUE ? 2 : OTHER;
  }
  const ink = new Uint8Array(width * height);
  for (let pixel = 0, at = 0; pixel < ink.length; pixel++, at += 3) {
    ink[pixel] = byShade[shadeOf(rgb[at] as number, rgb[at + 1] as number, rgb[at + 2] as number)] as number;
  }
  return { width, height, ink };
}

function hueOf({ red, green, blue }: Shade): number | undefined {
  const most = Math.max(red, green, blue);
  const chroma = most - Math.min(red, green, blue);
  if (chroma < MIN_CHROMA) return undefined;
  const sixth = most === red ? ((green - blue) / chroma + 6) % 6 : most === green ? (blue - red) / chroma + 2 : (red - green) / chroma + 4;
  return Math.floor(sixth * 60) % 360;
}

/** Returns the degrees between two hues. */
const between = (one: number, two: number) => Math.min(Math.abs(one - two), 360 - Math.abs(one - two));

function strongest(weights: Float64Array, apart: number | undefined): number {
  let best = 0;
  let most = -1;
  for (let hue = 0; hue < 360; hue++) {
    if (apart !== undefined && between(hue, apart) < 2 * SAME_HUE) continue;
    let sum = 0;
    for (let other = hue - 15; other <= hue + 15; other++) sum += weights[(other + 360) % 360] as number;
    if (sum <= most) continue;
    most = sum;
    best = hue;
  }
  return best;
}
