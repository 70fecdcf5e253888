import { contrastOf } from '../pixels/contrast.ts';
import type { InkMap } from '../pixels/inks.ts';
import type { Raster } from '../pixels/picture.ts';
import { findFinePitch } from './fine-pitch.ts';
import { followPrice } from './follow-price.ts';
import type { Piece } from './pieces.ts';
import { withoutAxis, withoutStrays } from './remove-strays.ts';
import { type Series, toSeries } from './series.ts';

/** Distance of candles, in pixels, that are read by brightness, because no pixel has their own color. */
const PITCH = { least: 2.05, most: 5 };
const MIN_DENSE_CANDLES = 40;
/** Minimum contrast of a body and of a wick in the middle of a candle, relative to a full body. */
const BODY = 0.45;
const WICK = 0.14;
/** Minimum contrast, 0 to 255, of anything drawn, and the minimum relative to a full body. */
const FAINTEST = 30;
const DRAWN = 0.3;
/** Rows that a crossing line can hide. */
const MAX_HIDDEN = 2;
/** Minimum share of the ink in the candles' columns that belongs to candles. In text, a path covers one line of many. */
const MIN_SHARE = 0.3;

/** Finds candles of two to five pixels, as in a chart that was scaled down a lot. */
export function findDenseSeries(raster: Raster): { map: InkMap; series: Series } | undefined {
  const { width, height } = raster;
  const contrast = contrastOf(raster);
  const lattice = findFinePitch(contrast, width, height, PITCH);
  if (!lattice) return undefined;
  const { start, pitch } = lattice;
  const places = Math.max(0, Math.floor((width - 2 - start) / pitch) + 1);
  const full = fullContrast(contrast);
  const columns = Array.from({ length: places }, (_, place) => findPieces(raster, { contrast, full }, { place, x: start + place * pitch }));
  const ink = Uint8Array.from(contrast, (value) => Number(value >= DRAWN * full));
  const map = { width, height, ink };
  const path = withoutStrays(withoutAxis(map, followPrice(columns), pitch));
  if (path.length < MIN_DENSE_CANDLES || shareOf(map, path) < MIN_SHARE) return undefined;
  return { map, series: toSeries(path, { inks: new Set([1]), width: Math.max(1, pitch - 1), pitch, clear: 1 }) };
}

/** Returns the vertical stretches in the middle of a candle's columns with at least a wick's contrast. */
function findPieces(
  raster: Raster,
  brightness: { contrast: Float32Array; full: number },
  { place, x }: Pick<Piece, 'place' | 'x'>,
): Piece[] {
  const { height } = raster;
  const along = brightnessAlong(raster, brightness, x);
  const soft = along.map((value, y) => (value * 2 + (along[y - 1] ?? 0) + (along[y + 1] ?? 0)) / 4);
  const pieces: Piece[] = [];
  for (let y = 0; y < height; y++) {
    if ((soft[y] as number) < WICK) continue;
    const top = y;
    let bottom = y;
    let bodyTop = -1;
    let bodyBottom = -1;
    for (; y < height && y - bottom <= MAX_HIDDEN; y++) {
      if ((soft[y] as number) < WICK) continue;
      bottom = y;
      if ((along[y] as number) < BODY) continue;
      if (bodyTop < 0) bodyTop = y;
      bodyBottom = y;
    }
    y = bottom;
    if (bodyTop < 0 && bottom - top < 2) continue;
    const bodyRows = bodyTop < 0 ? 0 : bodyBottom - bodyTop + 1;
    if (bodyTop < 0) bodyTop = bodyBottom = (top + bottom) / 2;
    const ink = hueOf(raster, x, bodyTop, bodyBottom);
    pieces.push({ place, x, top, bottom, bodyTop, bodyBottom, bodyRows, ink, fill: undefined, ticks: undefined, covered: 0 });
  }
  return pieces;
}

/** Returns the contrast of each row at a fractional column, relative to a full body. */
function brightnessAlong({ width, height }: Raster, { contrast, full }: { contrast: Float32Array; full: number }, x: number): Float32Array {
  const left = Math.floor(x);
  const part = x - left;
  return Float32Array.from({ length: height }, (_, y) => {
    const at = y * width + left;
    return ((contrast[at] as number) * (1 - part) + (contrast[at + 1] as number) * part) / full;
  });
}

/** Returns 2 for a reddish stretch and 1 for another: at this size, no more of the two colors is left. */
function hueOf({ width, rgb }: Raster, x: number, top: number, bottom: number): number {
  let warmth = 0;
  for (let y = Math.round(top); y <= bottom; y++) {
    const at = (y * width + Math.round(x)) * 3;
    warmth += (rgb[at] as number) - (rgb[at + 1] as number);
  }
  return warmth > 0 ? 2 : 1;
}

/** Returns the share of the ink in the candles' columns that belongs to candles. */
function shareOf({ width, height, ink }: InkMap, path: readonly Piece[]): number {
  let own = 0;
  let all = 0;
  for (const { x, top, bottom } of path) {
    for (let y = 0; y < height; y++) {
      if (!ink[y * width + Math.round(x)]) continue;
      all++;
      if (y >= top - 1 && y <= bottom + 1) own++;
    }
  }
  return own / Math.max(1, all);
}

/** Returns the contrast that a fifth of all drawn pixels exceed, as bodies do. */
function fullContrast(contrast: Float32Array): number {
  const counts = new Uint32Array(256);
  let all = 0;
  for (const value of contrast) {
    if (value < FAINTEST) continue;
    counts[Math.round(value)] = (counts[Math.round(value)] as number) + 1;
    all++;
  }
  let seen = 0;
  for (let value = counts.length - 1; value > 0; value--) {
    seen += counts[value] as number;
    if (seen >= 0.2 * all) return value;
  }
  return counts.length - 1;
}
