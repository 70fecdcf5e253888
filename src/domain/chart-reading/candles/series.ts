import type { InkMap } from '../pixels/inks.ts';
import { candleInks, commonWidth, groupByInk, latticeOf } from './candle-inks.ts';
import { findDirections } from './directions.ts';
import { followPrice } from './follow-price.ts';
import type { Lattice } from './lattice.ts';
import { type Column, findPieces, type Piece, settle } from './pieces.ts';
import { ENOUGH_CLEAR, isBricks, isColumns, scoreOf, shareOfClear } from './plausibility.ts';
import { standsAlone, withoutAxis, withoutStrays, withoutTags } from './remove-strays.ts';
import type { Shape } from './shapes.ts';

/** Positions in pixels of the raster. */
export interface Candle {
  x: number;
  high: number;
  low: number;
  open: number;
  close: number;
}

export interface Series {
  kind: 'candles' | 'bars' | 'bricks' | 'columns';
  /** Left to right. */
  candles: Candle[];
  /** Inks of the candles. */
  inks: ReadonlySet<number>;
  /** Width of a body and distance of two middles, in pixels. */
  width: number;
  pitch: number;
  /** 0 to 1: how much the path resembles a price over time. */
  score: number;
  /** Number of similar candles elsewhere in the picture. */
  elsewhere: number;
}

/** Fewer candles can't be distinguished from a few letters in a row. */
export const MIN_CANDLES = 6;
/** The search ends at this score. */
export const CERTAIN = 0.85;
/** How many inks to try as the candles' ink. */
const MAX_TRIED = 6;

/** Finds the candles or bars of a picture on one background. Undefined if nothing resembles them. */
export function findSeries(map: InkMap, shapes: readonly Shape[]): Series | undefined {
  const byInk = groupByInk(shapes);
  const likely = [...byInk.values()]
    .map((own) => ({ own, ...commonWidth(own) }))
    .filter(({ weight }) => weight >= 1.5)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MAX_TRIED);
  let best: Series | undefined;
  for (const { own, width } of likely) {
    const series = readSeries(map, { own, shapes, width });
    if (series && (!best || series.score > best.score)) best = series;
    if (best && best.score > CERTAIN) break;
  }
  return best;
}

function readSeries(
  map: InkMap,
  { own, shapes, width }: { own: readonly Shape[]; shapes: readonly Shape[]; width: number },
): Series | undefined {
  const alike = (shape: Shape) => Math.abs(shape.width - width) <= Math.max(1, 0.15 * width);
  const sized = own.filter(alike);
  const lattice = latticeOf(sized, shapes.filter(alike), { least: width, most: Math.min(8 * width + 16, map.width / 4) });
  if (!lattice) return undefined;
  const inks = candleInks(map, sized, shapes.filter(alike), lattice);
  const slack = Math.min(3, Math.floor(0.22 * lattice.pitch));
  const columnOf = (place: number): Column => ({ place, x: lattice.start + place * lattice.pitch, width });
  const settled = (piece: Piece) => settle(map, inks, piece, columnOf(piece.place), slack);
  const alone = (piece: Piece) => standsAlone(map, inks, piece, lattice.pitch);
  // Bodies that nearly touch leave no space to test.
  const isCandle = (piece: Piece) => lattice.pitch - width < 2 || alone(piece) || alone(settled(piece));
  const places = placesOf(map, lattice);
  const pieces = places.map((place) => findPieces(map, inks, columnOf(place)).filter(isCandle));
  const path = withoutStrays(withoutTags(withoutAxis(map, followPrice(pieces), width))).map(settled);
  if (path.length < MIN_CANDLES) return undefined;
  const found = { inks, width, pitch: lattice.pitch, clear: shareOfClear(path, shapes.filter(alike)) };
  return {
    ...toSeries(path, found),
    elsewhere: countElsewhere(
      path,
      shapes.filter((shape) => inks.has(shape.ink) && alike(shape)),
    ),
  };
}

/** Counts candles and bars outside the path's bounding box. */
function countElsewhere(path: readonly Piece[], shapes: readonly Shape[]): number {
  const left = (path[0]?.x ?? 0) - 1;
  const right = (path.at(-1)?.x ?? 0) + 1;
  const top = Math.min(...path.map((piece) => piece.top));
  const bottom = Math.max(...path.map((piece) => piece.bottom));
  const isOutside = (shape: Shape) => shape.x < left || shape.x > right || shape.bottom < top || shape.top > bottom;
  const outside = shapes.filter((shape) => shape.kind !== 'box' && isOutside(shape));
  // Letters are in rows.
  return new Set(outside.map((shape) => shape.top)).size < 0.5 * outside.length ? 0 : outside.length;
}

function placesOf(map: InkMap, { start, pitch }: Lattice): number[] {
  const first = Math.ceil(-start / pitch);
  const last = Math.floor((map.width - 1 - start) / pitch);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

export function toSeries(
  path: readonly Piece[],
  { inks, width, pitch, clear }: Pick<Series, 'inks' | 'width' | 'pitch'> & { clear: number },
): Series {
  const rising = findDirections(path);
  const isBars = path.filter(({ ticks }) => ticks).length >= 0.45 * path.length;
  const candles = path.map((piece, index): Candle => {
    const { x, top: high, bottom: low, bodyTop, bodyBottom, ticks } = piece;
    if (isBars && ticks) return { x, high, low, ...ticks };
    return rising[index] ? { x, high, low, open: bodyBottom, close: bodyTop } : { x, high, low, open: bodyTop, close: bodyBottom };
  });
  return {
    kind: isBars ? 'bars' : isColumns(path) ? 'columns' : isBricks(path) ? 'bricks' : 'candles',
    candles,
    inks,
    width,
    pitch,
    score: scoreOf(path) * Math.min(1, clear / ENOUGH_CLEAR),
    elsewhere: 0,
  };
}
