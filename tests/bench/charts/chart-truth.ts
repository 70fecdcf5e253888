import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** One candle of a truth file: time, open, high, low, close, volume. */
type TrueCandle = readonly [number, number, number, number, number, ...number[]];

/** The data of a rendered chart. */
interface TruthFile {
  style: string;
  scale: string;
  candles: TrueCandle[];
  /** Columns of the candles. */
  bar_x: number[];
  price_to_y: { price: number; y: number }[];
}

export interface Truth {
  style: string;
  candles: TrueCandle[];
  bars: { x: number; high: number; low: number }[];
  /** Returns the price at a row of the picture. */
  priceAt: (y: number) => number;
  range: number;
}

/** Maps a degraded copy to its original; undefined when the copy is rotated, warped, cropped or doubled. */
function placementOf(transform: string): { scale: number; dx: number; dy: number } | undefined {
  const scaled = /^scaled by ([\d.]+)$/.exec(transform);
  if (scaled) return { scale: Number(scaled[1]), dx: 0, dy: 0 };
  const pasted = /^parent pasted at y offset (\d+)$/.exec(transform);
  if (pasted) return { scale: 1, dx: 0, dy: Number(pasted[1]) };
  return undefined;
}

/** Returns the truth of a picture in its own pixels, or undefined when its candles' positions are unknown. */
export function readTruth(dir: string, file: string): Truth | undefined {
  const read = (name: string) => JSON.parse(readFileSync(join(dir, name), 'utf8')) as TruthFile & { parent?: string; transform?: string };
  const own = read(file);
  if (own.parent === undefined) return toTruth(own, { scale: 1, dx: 0, dy: 0 });
  const placement = placementOf(own.transform ?? '');
  return placement && toTruth(read(join(dirname(file), own.parent)), placement);
}

function toTruth(file: TruthFile, { scale, dx, dy }: { scale: number; dx: number; dy: number }): Truth {
  // A logarithmic axis is linear in the logarithm.
  const log = file.scale.startsWith('log');
  const points = file.price_to_y.map(({ price, y }) => ({ value: log ? Math.log(price) : price, y: y * scale + dy }));
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) throw new Error('The truth has no axis.');
  const perRow = (last.value - first.value) / (last.y - first.y);
  const priceAt = (y: number) => (log ? Math.exp : Number)(first.value + (y - first.y) * perRow);
  const yAt = (price: number) => first.y + ((log ? Math.log(price) : price) - first.value) / perRow;
  return {
    style: file.style,
    candles: file.candles,
    bars: file.candles.map(([, , high, low], index) => ({ x: (file.bar_x[index] as number) * scale + dx, high: yAt(high), low: yAt(low) })),
    priceAt,
    range: Math.max(...file.candles.map(([, , high]) => high)) - Math.min(...file.candles.map(([, , , low]) => low)),
  };
}

/** Returns up or down when last close and first open differ by more than 10% of the visible price range, else flat. */
export function trueTrend({ candles, range }: Truth): 'up' | 'down' | 'flat' {
  const change = (candles.at(-1) as TrueCandle)[4] - (candles[0] as TrueCandle)[1];
  return Math.abs(change) <= 0.1 * range ? 'flat' : change > 0 ? 'up' : 'down';
}

/** Two prices within this share of the visible range are one level. */
const TOLERANCE = 0.015;
const REACH = 5;

interface TrueLevel {
  price: number;
  touches: number;
  latest: number;
}

/** Returns the true levels: extremes over 5 candles to each side, clustered within the tolerance, with at least 2 touches. */
function trueLevels({ candles, range }: Truth): TrueLevel[] {
  const swings: { price: number; index: number }[] = [];
  for (let index = REACH; index < candles.length - REACH; index++) {
    const window = candles.slice(index - REACH, index + REACH + 1);
    const [, , high, low] = candles[index] as TrueCandle;
    if (window.every((candle) => candle[2] <= high)) swings.push({ price: high, index });
    if (window.every((candle) => candle[3] >= low)) swings.push({ price: low, index });
  }
  swings.sort((a, b) => a.price - b.price);
  const clusters: (typeof swings)[] = [];
  for (const swing of swings) {
    const cluster = clusters.at(-1);
    if (cluster && swing.price - (cluster[0]?.price ?? 0) <= TOLERANCE * range) cluster.push(swing);
    else clusters.push([swing]);
  }
  return clusters
    .filter((cluster) => cluster.length >= 2)
    .map((cluster) => ({
      price: cluster.reduce((sum, { price }) => sum + price, 0) / cluster.length,
      touches: cluster.length,
      latest: Math.max(...cluster.map(({ index }) => index)),
    }));
}

export interface LevelScore {
  /** Found and total number of the 8 true levels with the most touches. */
  recalled: number;
  expected: number;
  /** Correct and total number of at most 8 levels read. */
  precise: number;
  read: number;
}

export function scoreLevels(truth: Truth, rows: readonly number[]): LevelScore {
  const all = trueLevels(truth);
  const most = [...all].sort((a, b) => b.touches - a.touches || b.latest - a.latest).slice(0, 8);
  const read = rows.slice(0, 8).map(truth.priceAt);
  const near = (a: number, b: number) => Math.abs(a - b) <= TOLERANCE * truth.range;
  return {
    recalled: most.filter(({ price }) => read.some((other) => near(price, other))).length,
    expected: most.length,
    precise: read.filter((price) => all.some((level) => near(level.price, price))).length,
    read: read.length,
  };
}
