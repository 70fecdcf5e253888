import type { Series } from '../candles/series.ts';
import type { Raster } from '../pixels/picture.ts';
import { type Axis, type Fit, fitLabels, priceOn, type Rows } from './fit.ts';
import { heightOf } from './glyphs.ts';
import { offsetOfGrid } from './grid-offset.ts';
import { type Label, readLine } from './labels.ts';
import { MARKS } from './numbers.ts';
import { type Area, stripOf } from './strip.ts';
import { findTextLines, isFull, type TextLine } from './text-lines.ts';

/** Minimum columns beside the candles that can hold labels. */
const NARROWEST = 16;
/** How far above and below the candles to look for labels, relative to their price range in rows. */
const REACH = 0.5;
/** Maximum difference between labels of one column: in columns of their ends or middles, and in heights. */
const UNEVEN = { pixels: 1, heights: 0.1 };
const UNALIGNED = { pixels: 2, heights: 0.25 };
/** More numbers are a table. */
const MAX_LABELS = 60;
/** Maximum difference in rows between two axes of one chart. */
const SAME = 1;
/** This many unexplained numbers make a second axis or a list. */
const OTHERS = 3;
/** Maximum distance of a label's middle from its row, in label heights, and maximum price error relative to the visible range. */
const ASIDE = 0.2;
const MAX_WRONG = 0.005;
/** Where to look for the axis' multiplier above the plot, in label heights from the axis. */
const ABOVE = { into: 10, out: 3 };

interface Plot extends Rows {
  left: number;
  right: number;
}

/** Reads the price axis from the labels beside the candles, in rows of the raster. Undefined in any doubt. */
export function readAxis(raster: Raster, { candles, pitch }: Series): Axis | undefined {
  const plot = {
    left: Math.floor(candles[0]?.x ?? 0),
    right: Math.ceil(candles.at(-1)?.x ?? 0),
    top: Math.min(...candles.map(({ high }) => high)),
    bottom: Math.max(...candles.map(({ low }) => low)),
  };
  const onRight = readSide(raster, { left: Math.ceil(plot.right + 0.6 * pitch), right: raster.width }, plot);
  const onLeft = readSide(raster, { left: 0, right: Math.floor(plot.left - 0.6 * pitch) }, plot);
  // Volume has an axis too, so two axes must agree.
  if (onRight.isDoubtful || onLeft.isDoubtful) return undefined;
  return agreed([...onRight.axes, ...onLeft.axes], plot);
}

interface Side {
  axes: Axis[];
  /** True if some numbers fit no axis. */
  isDoubtful: boolean;
}

function readSide(raster: Raster, { left, right }: Pick<Area, 'left' | 'right'>, plot: Plot): Side {
  if (right - left < NARROWEST) return { axes: [], isDoubtful: false };
  const strip = stripOf(raster, { left, right, top: 0, bottom: raster.height });
  const edges = { left: left === 0, right: right === raster.width };
  const reach = REACH * (plot.bottom - plot.top);
  const lines = findTextLines(strip)
    .filter(({ top, bottom }) => bottom >= plot.top - reach && top <= plot.bottom + reach)
    .map((line) => ({ line, ...readLine(strip, line, edges) }));
  const labels = lines.map(({ label }) => label).filter((label) => label !== undefined);
  if (labels.length > MAX_LABELS) return { axes: [], isDoubtful: true };
  const fits = columnsOf(labels).flatMap((column) => MARKS.flatMap((mark) => fitLabels(column, mark, { all: labels, rows: plot }) ?? []));
  const numbers = lines.filter(
    ({ line, digits }) => line.top >= plot.top - 2 && line.bottom <= plot.bottom + 2 && digits >= Math.min(2, line.glyphs.length),
  );
  if (fits.length === 0) return { axes: [], isDoubtful: numbers.length >= OTHERS };
  // A text between the candles and the axis may be the real axis.
  const nearer = (line: TextLine, fit: Fit) =>
    edges.right
      ? line.right < Math.min(...fit.labels.map((label) => label.left))
      : line.left > Math.max(...fit.labels.map((label) => label.right));
  const isDoubtful = fits.some(
    (fit) => numbers.filter(({ line }) => nearer(line, fit)).length >= OTHERS || isMultiplied(raster, fit, { left, isRight: edges.right }),
  );
  return { axes: fits.map((fit) => placed(raster, fit, plot)).filter((axis) => axis !== undefined), isDoubtful };
}

/** Returns the first axis if the others agree with it. */
function agreed([first, ...others]: readonly Axis[], { top, bottom }: Rows): Axis | undefined {
  if (!first) return undefined;
  const most = SAME * Math.abs(first.perPixel);
  const isSame = (other: Axis) => [top, bottom].every((row) => Math.abs(priceOn(first, row) - priceOn(other, row)) <= most);
  return others.every(isSame) ? first : undefined;
}

/** Groups labels of one height that share their left ends, right ends or middles. */
function columnsOf(labels: readonly Label[]): Label[][] {
  const ends = [({ left }: Label) => left, ({ right }: Label) => right, ({ left, right }: Label) => (left + right) / 2];
  const columns = ends.flatMap((endOf) =>
    labels.map((label) => {
      const height = heightOf(label);
      const isLike = (other: Label) =>
        Math.abs(heightOf(other) - height) <= Math.max(UNEVEN.pixels, UNEVEN.heights * height) &&
        Math.abs(endOf(other) - endOf(label)) <= Math.max(UNALIGNED.pixels, UNALIGNED.heights * height);
      return labels.filter(isLike);
    }),
  );
  const seen = new Set<string>();
  return columns.filter((column) => {
    const key = column.map(({ top }) => top).join();
    return !seen.has(key) && seen.add(key);
  });
}

/** Aligns the axis with the grid lines. Without a grid, the labels' own rows must be precise enough. */
function placed(raster: Raster, { axis, labels }: Fit, plot: Plot): Axis | undefined {
  const offset = offsetOfGrid(raster, labels, plot);
  if (offset !== undefined) return { ...axis, y: axis.y + offset };
  const height = heightOf(labels[0] as Label);
  return ASIDE * height <= MAX_WRONG * (plot.bottom - plot.top) ? axis : undefined;
}

/** Tests for a power of ten above the axis, such as `1e6`: full-height digits with a lower character among them. */
function isMultiplied(raster: Raster, { labels }: Fit, { left, isRight }: { left: number; isRight: boolean }): boolean {
  const [first, second] = labels as [Label, Label];
  const height = heightOf(first);
  const step = second.top - first.top;
  const bottom = first.top - 2;
  const end = left + (isRight ? first.left : first.right);
  const [inwards, outwards] = [ABOVE.into * height, ABOVE.out * height];
  const area = {
    left: Math.max(0, Math.round(end - (isRight ? inwards : outwards))),
    right: Math.min(raster.width, Math.round(end + (isRight ? outwards + (first.right - first.left) : inwards))),
    top: Math.max(0, Math.round(bottom - 1.5 * step)),
    bottom,
  };
  if (area.bottom - area.top < height) return false;
  const strip = stripOf(raster, area);
  const inside = { left: false, right: false };
  return findTextLines(strip).some((line) => {
    const full = line.glyphs.filter((glyph) => isFull(glyph, line));
    const isLower = (glyph: (typeof full)[number]) => heightOf(glyph) > 0.4 * heightOf(line) && !isFull(glyph, line);
    return line.glyphs.some(isLower) && readLine(strip, line, inside).digits === full.length;
  });
}
