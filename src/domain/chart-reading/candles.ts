import { findBlobs } from './blobs';
import { findDirections } from './directions';
import { BACKGROUND, type InkMap, OTHER } from './inks';
import { findLattice, type Lattice } from './lattice';
import { followPrice, gap } from './path';
import { type Column, findPieces, type Piece, settle } from './pieces';
import { type Shape, shapeOf } from './shapes';

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
  /** Inks they are drawn in. */
  inks: ReadonlySet<number>;
  /** Width of a body and distance of two middles, pixels. */
  width: number;
  pitch: number;
  /** 0 to 1: how much it looks like a price over time. */
  score: number;
}

/** As many candles as tell a chart from a few letters in a row. */
const FEWEST = 6;
/** Inks that are tried as the other one. */
const MOST_PARTNERS = 3;
/** Share of the pieces that may be letters at an end. */
const STRAYS = 0.08;
/** A score above which nothing better is looked for. */
export const CERTAIN = 0.85;
/** Inks that are tried as the one candles are drawn in. */
const MOST_TRIED = 6;

/** The candles or bars of a picture, on one of its backgrounds. Undefined where nothing looks like them. */
export function findSeries(map: InkMap): Series | undefined {
  const shapes = findBlobs(map, { least: 2, widest: Math.max(16, map.width / 7) }).flatMap((blob) => shapeOf(blob) ?? []);
  const byInk = groupByInk(shapes);
  const likely = [...byInk.values()]
    .map((own) => ({ own, ...commonWidth(own) }))
    .filter(({ weight }) => weight >= 1.5)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST_TRIED);
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
  // Where bodies all but touch, nothing between them can be looked at.
  const isCandle = (piece: Piece) => lattice.pitch - width < 2 || alone(piece) || alone(settled(piece));
  const places = placesOf(map, lattice);
  const pieces = places.map((place) => findPieces(map, inks, columnOf(place)).filter(isCandle));
  const path = withoutStrays(withoutTags(followPrice(pieces))).map(settled);
  if (path.length < FEWEST) return undefined;
  return toSeries(path, { inks, width, pitch: lattice.pitch, clear: shareOfClear(path, shapes.filter(alike)) });
}

function groupByInk(shapes: readonly Shape[]): Map<number, Shape[]> {
  const groups = new Map<number, Shape[]>();
  for (const shape of shapes) {
    const group = groups.get(shape.ink);
    if (group) group.push(shape);
    else groups.set(shape.ink, [shape]);
  }
  return groups;
}

/** The spacing of one ink's shapes, or, where these are too few, of theirs and another's together. */
function latticeOf(own: readonly Shape[], alike: readonly Shape[], limits: { least: number; most: number }): Lattice | undefined {
  const middles = own.map(({ x }) => x);
  const alone = findLattice(middles, limits);
  if (alone) return alone;
  const others = [...groupByInk(alike.filter(({ ink }) => ink !== own[0]?.ink)).values()].sort((a, b) => b.length - a.length);
  for (const other of others.slice(0, MOST_PARTNERS)) {
    const together = findLattice([...middles, ...other.map(({ x }) => x)], limits);
    if (together) return together;
  }
  return undefined;
}

/** How much a shape tells; a mere box may be anything, or a candle whose wick has another colour. */
const WEIGHTS = { candle: 1, bar: 1, box: 0.4 };
/** Letters are small. */
const weightOf = ({ kind, width }: Shape) => WEIGHTS[kind] * Math.min(1, width / 9);

/** The width that most shapes have, and how much these tell together. */
function commonWidth(shapes: readonly Shape[]): { width: number; weight: number } {
  const weights = new Map<number, number>();
  for (const shape of shapes) {
    for (const near of [shape.width - 1, shape.width, shape.width + 1]) {
      weights.set(near, (weights.get(near) ?? 0) + weightOf(shape) * (near === shape.width ? 1 : 0.5));
    }
  }
  const weight = Math.max(0, ...weights.values());
  // Charts round: of two that are as good, the wider is the true one.
  const width = Math.max(3, ...[...weights].filter(([, other]) => other >= 0.85 * weight).map(([known]) => known));
  return { width, weight };
}

/** The inks whose shapes stand in the lattice, and the one wicks are drawn in where it is another than that of the bodies. */
function candleInks(map: InkMap, own: readonly Shape[], sized: readonly Shape[], { start, pitch }: Lattice): Set<number> {
  const inks = new Set<number>([own[0]?.ink as number]);
  for (const [number, shapes] of groupByInk(sized)) {
    const inPlace = shapes.filter(({ x }) => Math.abs(x - start - Math.round((x - start) / pitch) * pitch) <= Math.max(1, 0.15 * pitch));
    if (inPlace.length >= Math.max(2, 0.06 * own.length) && inPlace.length >= 0.6 * shapes.length) inks.add(number);
  }
  const boxes = sized.filter(({ ink, kind }) => inks.has(ink) && kind === 'box');
  const above = new Map<number, number>();
  for (const { x, width, top, bottom } of boxes) {
    for (const y of [top - 2, bottom + 2]) {
      const at = y * map.width + Math.round(x);
      const number = map.ink[at];
      const aside = Math.max(2, Math.round(width / 3));
      // A wick has nothing of its kind beside it; a line that runs along does.
      const isWick = map.ink[at - aside] !== number && map.ink[at + aside] !== number;
      if (isWick && number !== undefined && number !== BACKGROUND && number !== OTHER) above.set(number, (above.get(number) ?? 0) + 1);
    }
  }
  for (const [number, count] of above) if (count >= 0.6 * boxes.length && boxes.length >= 4) inks.add(number);
  return inks;
}

function placesOf(map: InkMap, { start, pitch }: Lattice): number[] {
  const first = Math.ceil(-start / pitch);
  const last = Math.floor((map.width - 1 - start) / pitch);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

/** The tag of the last price is drawn in a candle's colour too: at either end, a row of pieces that are alike. */
function withoutTags(path: readonly Piece[]): readonly Piece[] {
  const isLike = (a: Piece | undefined, b: Piece | undefined) =>
    a && b && b.bottom - b.top >= 5 && Math.abs(a.top - b.top) <= 1 && Math.abs(a.bottom - b.bottom) <= 1;
  let from = 0;
  while (isLike(path[from], path[from + 1])) from++;
  let to = path.length - 1;
  while (isLike(path[to], path[to - 1])) to--;
  return path.slice(from >= 2 ? from + 1 : 0, to <= path.length - 3 ? to : path.length);
}

/** A few pieces beyond an empty place at either end are letters of an axis. */
function withoutStrays(path: readonly Piece[]): readonly Piece[] {
  const most = Math.max(3, Math.floor(STRAYS * path.length));
  const follows = (index: number) => (path[index]?.place ?? 0) - (path[index - 1]?.place ?? 0) === 1;
  let from = 0;
  let to = path.length;
  for (let index = 1; index <= most; index++) if (index < path.length && !follows(index)) from = index;
  for (let index = path.length - 1; index >= path.length - most; index--) if (index > from && !follows(index)) to = index;
  return path.slice(from, to);
}

/** What goes on to both sides is an area or a label; a candle ends where its body ends. */
function standsAlone({ width, height, ink }: InkMap, inks: ReadonlySet<number>, piece: Piece, pitch: number): boolean {
  const rows = piece.bottom - piece.top + 1;
  if (rows > 0.8 * height) return false;
  const sides = [Math.round(piece.x - pitch / 2), Math.round(piece.x + pitch / 2)];
  return !sides.every((x) => {
    if (x < 0 || x >= width) return true;
    let filled = 0;
    for (let y = piece.top; y <= piece.bottom; y++) if (inks.has(ink[y * width + x] as number)) filled++;
    return filled > 0.7 * rows;
  });
}

function toSeries(
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
  };
}

/** Share of candles that stand alone, touching no other: a line that is cut into columns has none. */
const ENOUGH_CLEAR = 0.25;

function shareOfClear(path: readonly Piece[], shapes: readonly Shape[]): number {
  const clear = path.filter(({ x, top, bottom }) =>
    shapes.some(
      (shape) =>
        Math.abs(shape.x - x) <= 1.5 && shape.top <= bottom && shape.bottom >= top && shape.bottom - shape.top >= 0.5 * (bottom - top),
    ),
  );
  return clear.length / path.length;
}

/** Bodies of one height without wicks, each beside a corner of the last: a Renko chart, which knows no time. */
function isBricks(path: readonly Piece[]): boolean {
  const heights = path.map(({ top, bottom }) => bottom - top + 1).sort((a, b) => a - b);
  const middle = heights[heights.length >> 1] as number;
  return middle >= 4 && heights.filter((height) => Math.abs(height - middle) <= 1 + 0.1 * middle).length >= 0.85 * heights.length;
}

/** Bars that all stand on one line: a chart of volumes, say. */
function isColumns(path: readonly Piece[]): boolean {
  const bottoms = path.map(({ bottom }) => bottom).sort((a, b) => a - b);
  const middle = bottoms[bottoms.length >> 1] as number;
  const tops = new Set(path.map(({ top }) => top));
  return tops.size >= 0.3 * path.length && bottoms.filter((bottom) => Math.abs(bottom - middle) <= 2).length >= 0.7 * bottoms.length;
}

const wicked = ({ top, bottom, bodyTop, bodyBottom }: Piece) => bodyTop - top + bottom - bodyBottom >= 2;

function scoreOf(path: readonly Piece[]): number {
  const heights = path.map(({ top, bottom }) => bottom - top + 1).sort((a, b) => a - b);
  const middle = heights[heights.length >> 1] as number;
  let joined = 0;
  let aligned = 0;
  for (let index = 1; index < path.length; index++) {
    const [one, two] = [path[index - 1] as Piece, path[index] as Piece];
    if (gap(one, two) <= Math.max(2, 0.3 * middle)) joined++;
    if (one.top === two.top || one.bottom === two.bottom) aligned++;
  }
  const range = Math.max(...path.map(({ bottom }) => bottom)) - Math.min(...path.map(({ top }) => top));
  const places = (path.at(-1)?.place as number) - (path[0]?.place as number) + 1;
  const share = {
    joined: joined / (path.length - 1),
    wicked: Math.min(1, path.filter(wicked).length / (0.5 * path.length)),
    full: path.length / places,
    wide: Math.min(1, range / (3 * middle)),
    // Letters stand on one line, and end on another.
    free: isColumns(path) ? 1 : Math.min(1, Math.max(0, (0.75 - aligned / (path.length - 1)) / 0.35)),
    many: Math.min(1, 0.35 + path.length / 40),
  };
  return share.joined * Math.sqrt(share.wicked) * share.full * share.wide * share.free * share.many;
}
