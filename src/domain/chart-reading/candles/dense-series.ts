import { contrastOf } from '../pixels/contrast.ts';
import type { InkMap } from '../pixels/inks.ts';
import type { Raster } from '../pixels/picture.ts';
import { findFinePitch } from './fine-pitch.ts';
import { followPrice } from './follow-price.ts';
import type { Piece } from './pieces.ts';
import { withoutAxis, withoutStrays } from './remove-strays.ts';
import { type Series, toSeries } from './series.ts';

/** Candles as near to one another as this are read by their brightness: they have no pixel of their own colour. */
const PITCH = { least: 2.05, most: 5 };
const FEWEST = 40;
/** Parts of a body's contrast that a body and a wick have at least, in the middle of a candle. */
const BODY = 0.45;
const WICK = 0.14;
/** Contrast, 0 to 255, below which nothing is drawn, and the part of a body's above which something is. */
const FAINTEST = 30;
const DRAWN = 0.3;
/** Rows that a crossing line may hide. */
const MOST_HIDDEN = 2;
/** How much of what is drawn in the columns of the candles are candles: in a text, a path is a line of many. */
const LEAST_SHARE = 0.3;

/** Candles of two to five pixels each, as in a chart made much smaller. */
export function findDenseSeries(raster: Raster): { map: InkMap; series: Series } | undefined {
  const { width, height, rgb } = raster;
  const contrast = contrastOf(raster);
  const lattice = findFinePitch(contrast, width, height, PITCH);
  if (!lattice) return undefined;
  const { start, pitch } = lattice;
  const places = Math.max(0, Math.floor((width - 2 - start) / pitch) + 1);
  const full = fullContrast(contrast);
  const columns = Array.from({ length: places }, (_, place) => piecesOf(place, start + place * pitch));
  const ink = Uint8Array.from(contrast, (value) => Number(value >= DRAWN * full));
  const map = { width, height, ink };
  const path = withoutStrays(withoutAxis(map, followPrice(columns), pitch));
  if (path.length < FEWEST || shareOf(path) < LEAST_SHARE) return undefined;
  return { map, series: toSeries(path, { inks: new Set([1]), width: Math.max(1, pitch - 1), pitch, clear: 1 }) };

  /** What stands in the middle of a candle's columns: stretches of at least a wick's contrast. */
  function piecesOf(place: number, x: number): Piece[] {
    const left = Math.floor(x);
    const part = x - left;
    const along = Float32Array.from({ length: height }, (_, y) => {
      const at = y * width + left;
      return ((contrast[at] as number) * (1 - part) + (contrast[at + 1] as number) * part) / full;
    });
    const soft = along.map((value, y) => (value * 2 + (along[y - 1] ?? 0) + (along[y + 1] ?? 0)) / 4);
    const pieces: Piece[] = [];
    for (let y = 0; y < height; y++) {
      if ((soft[y] as number) < WICK) continue;
      const top = y;
      let bottom = y;
      let bodyTop = -1;
      let bodyBottom = -1;
      for (; y < height && y - bottom <= MOST_HIDDEN; y++) {
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
      pieces.push({
        place,
        x,
        top,
        bottom,
        bodyTop,
        bodyBottom,
        bodyRows,
        ink: hueOf(x, bodyTop, bodyBottom),
        fill: undefined,
        ticks: undefined,
        covered: 0,
      });
    }
    return pieces;
  }

  /** Nothing but more red, or less, is left of the two colours: numbers for them, as inks have. */
  function hueOf(x: number, top: number, bottom: number): number {
    let warmth = 0;
    for (let y = Math.round(top); y <= bottom; y++) {
      const at = (y * width + Math.round(x)) * 3;
      warmth += (rgb[at] as number) - (rgb[at + 1] as number);
    }
    return warmth > 0 ? 2 : 1;
  }

  /** How much of what stands in the candles' columns are the candles. */
  function shareOf(path: readonly Piece[]): number {
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
}

/** What a fifth of all that is drawn exceeds: bodies do. */
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
