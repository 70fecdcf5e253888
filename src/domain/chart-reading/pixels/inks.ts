import { type Color, colorOf, distance, type Palette, SAME_COLOR, type Shade, shadeOf } from './palette.ts';
import type { Raster } from './picture.ts';

/** Each pixel's ink: 0 is background, 1 to n the palette's colors in order, OTHER a blend. */
export interface InkMap {
  width: number;
  height: number;
  ink: Uint8Array;
}

export const BACKGROUND = 0;
export const OTHER = 255;

/** Lower contrast is a grid line, a shadow or noise. */
const MIN_CONTRAST = 48;

/** Sorts the pixels by ink on the given background. A smoothed edge counts as the ink that fills most of it. */
export function mapInks({ rgb, width, height }: Raster, { colors, shades }: Palette, background: Color): InkMap {
  const inks = colors
    .map((color, index) => ({ color, number: index + 1, contrast: distance(color, background) }))
    .filter(({ color, contrast }) => contrast >= MIN_CONTRAST && !isEdge(color, background, colors));
  const byShade = new Uint8Array(shades.length);
  for (let shade = 0; shade < shades.length; shade++) {
    if (shades[shade]) byShade[shade] = inkOf(colorOf(shade), background, inks);
  }
  const ink = new Uint8Array(width * height);
  for (let pixel = 0, at = 0; pixel < ink.length; pixel++, at += 3) {
    ink[pixel] = byShade[shadeOf(rgb[at] as number, rgb[at + 1] as number, rgb[at + 2] as number)] as number;
  }
  return { width, height, ink };
}

/** Minimum share of a pixel that an ink must fill, so that a one-pixel wick that smoothing spread still counts. */
export const MIN_PART = 0.42;
/** Photos scatter a body over many shades, so its edge color can be weaker than the ink by this factor. */
const MAX_PART = 3;
/** Minimum share of an ink's pixels inside areas; fewer are the smooth edge of another ink. */
const MIN_SOLID = 0.12;

/** A color with at least this share of another ink counts as that ink: a border or a thick edge. */
const SAME_PART = 0.62;

/** Tests whether a color is only a blend of another ink and the background. */
function isEdge(color: Color, background: Color, colors: readonly Color[]): boolean {
  const isSolid = color.solid >= MIN_SOLID * color.count;
  return colors.some((ink) => {
    if (ink === color || ink === background || ink.count < 0.15 * color.count) return false;
    const contrast = distance(ink, background);
    if (contrast < 1.04 * distance(color, background)) return false;
    const { share, rest } = blend(color, background, ink);
    return share < 0.97 && (!isSolid || share >= SAME_PART) && rest < 12 + 0.1 * contrast;
  });
}

function inkOf(shade: Shade, background: Shade, inks: readonly { color: Color; number: number; contrast: number }[]): number {
  if (distance(shade, background) < MIN_CONTRAST / 2) return BACKGROUND;
  let nearest = SAME_COLOR;
  let found = -1;
  for (const { color, number } of inks) {
    const apart = distance(shade, color);
    if (apart < nearest) {
      nearest = apart;
      found = number;
    }
  }
  if (found >= 0) return found;

  let least = Number.POSITIVE_INFINITY;
  let faint = distance(shade, background) < MIN_CONTRAST;
  for (const { color, number, contrast } of inks) {
    const { share, rest } = blend(shade, background, color);
    // Of two inks that explain a shade, prefer the larger share.
    const unlikely = rest + 12 * Math.abs(1 - share);
    if (rest > 12 + 0.12 * contrast * Math.max(1, share) || share > MAX_PART || unlikely >= least) continue;
    least = unlikely;
    found = share >= MIN_PART ? number : -1;
    faint ||= share < MIN_PART;
  }
  if (found >= 0) return found;
  return faint ? BACKGROUND : OTHER;
}

/** Returns the share of `ink` in a shade over `background`, and the distance of the shade from that blend. */
export function blend(shade: Shade, background: Shade, ink: Shade): { share: number; rest: number } {
  const inkRed = ink.red - background.red;
  const inkGreen = ink.green - background.green;
  const inkBlue = ink.blue - background.blue;
  const red = shade.red - background.red;
  const green = shade.green - background.green;
  const blue = shade.blue - background.blue;
  const share = (red * inkRed + green * inkGreen + blue * inkBlue) / (inkRed ** 2 + inkGreen ** 2 + inkBlue ** 2);
  return { share, rest: Math.hypot(red - share * inkRed, green - share * inkGreen, blue - share * inkBlue) };
}
