import { findBlobs } from './blobs';
import { findDirections } from './directions';
import { BACKGROUND, type InkMap, OTHER } from './inks';
import { findLattice, type Lattice } from './lattice';
import { followPrice, gap } from './path';
import { findPieces, type Piece, settle } from './pieces';
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
/** A score above which nothing better is looked for. */
export const CERTAIN = 0.85;
/** Inks that are tried as the one candles are drawn in. */
const MOST_TRIED = 4;

/** The candles or bars of a picture, on one of its backgrounds. Undefined where nothing looks like them. */
export function findSeries(map: InkMap): Series | undefined {
  const shapes = findBlobs(map, { least: 2, widest: Math.max(16, map.width / 7) }).flatMap((blob) => shapeOf(blob) ?? []);
  const byInk = groupByInk(shapes);
  const likely = [...byInk.values()]
    .map((own) => ({ own, telling: own.filter(({ kind }) => kind !== 'box').length }))
    .filter(({ telling }) => telling >= 3)
    .sort((a, b) => b.telling - a.telling)
    .slice(0, MOST_TRIED);
  let best: Series | undefined;
  for (const { own } of likely) {
    const series = readSeries(map, own, shapes);
    if (series && (!best || series.score > best.score)) best = series;
    if (best && best.score > CERTAIN) break;
  }
  return best;
}

function readSeries(map: InkMap, own: readonly Shape[], shapes: readonly Shape[]): Series | undefined {
  const width = commonWidth(own.filter(({ kind }) => kind !== 'box'));
  const alike = (shape: Shape) => Math.abs(shape.width - width) <= Math.max(1, 0.15 * width);
  const sized = own.filter(alike);
  const lattice = findLattice(
    shapes.filter((shape) => alike(shape) && isCompanion(shape.ink, own, shapes, alike)).map(({ x }) => x),
    { least: width, most: Math.min(8 * width + 16, map.width / 4) },
  );
  if (!lattice) return undefined;
  const inks = candleInks(map, sized, shapes.filter(alike), lattice);
  const slack = Math.min(3, Math.floor(0.22 * lattice.pitch));
  const pieces = columnsOf(map, lattice, width).map((column) => findPieces(map, inks, column).filter(plausible(map)));
  const path = withoutTags(followPrice(pieces)).map((piece) => {
    const x = lattice.start + piece.place * lattice.pitch;
    return settle(map, inks, piece, { place: piece.place, x, width }, slack);
  });
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

/** An ink that draws shapes of the same size as often as not. */
function isCompanion(ink: number, own: readonly Shape[], shapes: readonly Shape[], alike: (shape: Shape) => boolean): boolean {
  if (ink === own[0]?.ink) return true;
  const theirs = shapes.filter((shape) => shape.ink === ink);
  return theirs.filter(alike).length >= 0.5 * theirs.length;
}

function commonWidth(shapes: readonly Shape[]): number {
  const counts = new Map<number, number>();
  for (const { width } of shapes)
    for (const near of [width - 1, width, width + 1]) counts.set(near, (counts.get(near) ?? 0) + (near === width ? 2 : 1));
  return [...counts].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [3, 0])[0];
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
  for (const { x, top, bottom } of boxes) {
    for (const y of [top - 2, bottom + 2]) {
      const number = map.ink[y * map.width + Math.round(x)];
      if (number !== undefined && number !== BACKGROUND && number !== OTHER) above.set(number, (above.get(number) ?? 0) + 1);
    }
  }
  for (const [number, count] of above) if (count >= 0.35 * boxes.length && boxes.length >= 4) inks.add(number);
  return inks;
}

function columnsOf(map: InkMap, { start, pitch }: Lattice, width: number) {
  const columns = [];
  for (let place = Math.ceil(-start / pitch); ; place++) {
    const x = start + place * pitch;
    if (x > map.width - 1) return columns;
    columns.push({ place, x, width });
  }
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

const plausible = (map: InkMap) => (piece: Piece) => piece.bottom - piece.top < 0.8 * map.height;

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
  return bottoms.filter((bottom) => Math.abs(bottom - middle) <= 2).length >= 0.7 * bottoms.length;
}

const wicked = ({ top, bottom, bodyTop, bodyBottom }: Piece) => bodyTop - top + bottom - bodyBottom >= 2;

function scoreOf(path: readonly Piece[]): number {
  const heights = path.map(({ top, bottom }) => bottom - top + 1).sort((a, b) => a - b);
  const middle = heights[heights.length >> 1] as number;
  let joined = 0;
  for (let index = 1; index < path.length; index++) {
    if (gap(path[index - 1] as Piece, path[index] as Piece) <= Math.max(2, 0.3 * middle)) joined++;
  }
  const range = Math.max(...path.map(({ bottom }) => bottom)) - Math.min(...path.map(({ top }) => top));
  const places = (path.at(-1)?.place as number) - (path[0]?.place as number) + 1;
  const share = {
    joined: joined / (path.length - 1),
    wicked: Math.min(1, path.filter(wicked).length / (0.5 * path.length)),
    full: path.length / places,
    wide: Math.min(1, range / (3 * middle)),
    many: Math.min(1, 0.5 + path.length / 60),
  };
  return share.joined * Math.sqrt(share.wicked) * share.full * share.wide * share.many;
}
