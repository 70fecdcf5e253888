import { BACKGROUND, blend, type InkMap, MIN_PART, OTHER } from './inks.ts';
import type { Color } from './palette.ts';
import type { Raster } from './picture.ts';

/** Maximum width of a soft edge, in pixels: about the enlarging factor. */
const WIDEST = 4;
/** Minimum change between neighboring pixels of a soft edge; a border has one shade. */
const STEP = 0.1;
/** Shares of ink that count as background, and as the whole ink. */
const FAINT = 0.12;
const FULL = 0.94;
/** Minimum pixels between an ink and the background for a soft edge; smoothing alone makes one. */
const MIN_PIXELS = 2;
/** Which share of another ink an edge may be, and its maximum distance from a blend with the background. */
const PARTS = { least: 0.2, most: 0.85, rest: 30 };

/** Minimum share of an ink's pixels inside areas to have edges, and how many inks to try for each. */
const MIN_SOLID = 0.1;
const MAX_STRONGER = 3;

/**
 * Assigns the soft edges of an enlarged picture to the ink they belong to, or to the background. Otherwise the edges of candles
 * would count as the fainter ink of volume bars.
 */
export function mendSoftEdges(map: InkMap, { rgb }: Raster, colors: readonly Color[], background: Color): InkMap {
  const { width, height, ink } = map;
  const stronger = strongerInks(ink, colors, background);
  if (stronger.size === 0) return map;
  const inks = colors.map(({ red, green, blue }) => {
    const [reds, greens, blues] = [red - background.red, green - background.green, blue - background.blue];
    return { reds, greens, blues, square: reds ** 2 + greens ** 2 + blues ** 2 };
  });
  type Ink = (typeof inks)[number];
  const partAt = (at: number, { reds, greens, blues, square }: Ink) =>
    (((rgb[3 * at] as number) - background.red) * reds +
      ((rgb[3 * at + 1] as number) - background.green) * greens +
      ((rgb[3 * at + 2] as number) - background.blue) * blues) /
    square;
  /** Returns the pixels of a monotonous ramp from this pixel to the ink or the background, 0 if it isn't monotonous. */
  const ramp = (at: number, step: number, room: number, color: Ink, upwards: boolean): number => {
    let last = partAt(at, color);
    for (let count = 1; count <= Math.min(room, WIDEST); count++) {
      const part = partAt(at + count * step, color);
      if (upwards ? part >= FULL : part <= FAINT) return count;
      if (upwards ? part < last + STEP : part > last - STEP) return 0;
      last = part;
    }
    return 0;
  };
  const isEdge = (at: number, x: number, y: number, color: Ink): boolean => {
    const isAlong = (step: number, ahead: number, behind: number) => {
      const rise = ramp(at, step, ahead, color, true);
      const fall = rise > 0 ? ramp(at, -step, behind, color, false) : 0;
      return fall > 0 && rise + fall - 1 >= MIN_PIXELS;
    };
    const [right, below] = [width - 1 - x, height - 1 - y];
    return isAlong(1, right, x) || isAlong(-1, x, right) || isAlong(width, below, y) || isAlong(-width, y, below);
  };
  const mended = Uint8Array.from(ink);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const likely = stronger.get(ink[at] as number)?.find((number) => isEdge(at, x, y, inks[number - 1] as Ink));
      if (likely) mended[at] = partAt(at, inks[likely - 1] as Ink) >= MIN_PART ? likely : BACKGROUND;
    }
  }
  return { width, height, ink: mended };
}

/** Returns for each ink the inks whose faint edge it may be. */
function strongerInks(ink: Uint8Array, colors: readonly Color[], background: Color): Map<number, number[]> {
  const used = new Set(ink);
  used.delete(BACKGROUND);
  used.delete(OTHER);
  const stronger = new Map<number, number[]>();
  for (const faint of used) {
    const of = [...used].filter((number) => {
      const [own, ink] = [colors[faint - 1] as Color, colors[number - 1] as Color];
      const { share, rest } = blend(own, background, ink);
      return number !== faint && ink.solid >= MIN_SOLID * own.count && share >= PARTS.least && share <= PARTS.most && rest < PARTS.rest;
    });
    if (of.length > 0) stronger.set(faint, of.slice(0, MAX_STRONGER));
  }
  return stronger;
}
