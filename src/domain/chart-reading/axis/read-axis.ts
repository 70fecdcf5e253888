import type { Series } from '../candles/series.ts';
import type { Raster } from '../pixels/picture.ts';
import { type Axis, type Fit, fitLabels, priceOn, type Rows } from './fit.ts';
import { heightOf } from './glyphs.ts';
import { offsetOfGrid } from './grid-offset.ts';
import { type Label, readLine } from './labels.ts';
import { MARKS } from './numbers.ts';
import { type Area, stripOf } from './strip.ts';
import { findTextLines, isFull, type TextLine } from './text-lines.ts';

/** Columns beside the candles that may hold labels, at least. */
const NARROWEST = 16;
/** In rows from the highest price to the lowest: how far above and below them labels are looked for. */
const REACH = 0.5;
/** By how much labels of one column differ: rows, or columns of their ends or middles, and heights. */
const UNEVEN = { pixels: 1, heights: 0.1 };
const UNALIGNED = { pixels: 2, heights: 0.25 };
/** More numbers than these are tables. */
const MOST_LABELS = 60;
/** How far two axes of one chart may disagree, rows. */
const SAME = 1;
/** Numbers beside the candles that make another axis, or a list, which cannot be told from the one that is read. */
const OTHERS = 3;
/** In heights of a label, how far its middle may be from its row, and of the visible range how far a price may be wrong. */
const ASIDE = 0.2;
const MOST_WRONG = 0.005;
/** In heights of a label: where what its numbers are multiplied by is written, above the plot and from the axis into it. */
const ABOVE = { into: 10, out: 3 };

interface Plot extends Rows {
  left: number;
  right: number;
}

/** The axis in rows of the raster, read from the labels beside the candles. Undefined wherever there is any doubt. */
export function readAxis(raster: Raster, { candles, pitch }: Series): Axis | undefined {
  const plot = {
    left: Math.floor(candles[0]?.x ?? 0),
    right: Math.ceil(candles.at(-1)?.x ?? 0),
    top: Math.min(...candles.map(({ high }) => high)),
    bottom: Math.max(...candles.map(({ low }) => low)),
  };
  const onRight = readSide(raster, { left: Math.ceil(plot.right + 0.6 * pitch), right: raster.width }, plot);
  const onLeft = readSide(raster, { left: 0, right: Math.floor(plot.left - 0.6 * pitch) }, plot);
  // Volume has an axis too: where there are two, they must say the same.
  if (onRight.isDoubtful || onLeft.isDoubtful) return undefined;
  return agreed([...onRight.axes, ...onLeft.axes], plot);
}

interface Side {
  axes: Axis[];
  /** Whether there are numbers that no axis explains. */
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
  if (labels.length > MOST_LABELS) return { axes: [], isDoubtful: true };
  const fits = columnsOf(labels).flatMap((column) => MARKS.flatMap((mark) => fitLabels(column, mark, { all: labels, rows: plot }) ?? []));
  const numbers = lines.filter(
    ({ line, digits }) => line.top >= plot.top - 2 && line.bottom <= plot.bottom + 2 && digits >= Math.min(2, line.glyphs.length),
  );
  if (fits.length === 0) return { axes: [], isDoubtful: numbers.length >= OTHERS };
  // What is written between the candles and the axis may be the true one.
  const nearer = (line: TextLine, fit: Fit) =>
    edges.right
      ? line.right < Math.min(...fit.labels.map((label) => label.left))
      : line.left > Math.max(...fit.labels.map((label) => label.right));
  const isDoubtful = fits.some(
    (fit) => numbers.filter(({ line }) => nearer(line, fit)).length >= OTHERS || isMultiplied(raster, fit, { left, isRight: edges.right }),
  );
  return { axes: fits.map((fit) => placed(raster, fit, plot)).filter((axis) => axis !== undefined), isDoubtful };
}

/** The only axis, or the first of several that say the same. */
function agreed([first, ...others]: readonly Axis[], { top, bottom }: Rows): Axis | undefined {
  if (!first) return undefined;
  const most = SAME * Math.abs(first.perPixel);
  const isSame = (other: Axis) => [top, bottom].every((row) => Math.abs(priceOn(first, row) - priceOn(other, row)) <= most);
  return others.every(isSame) ? first : undefined;
}

/** Labels of one height that begin, end, or have their middles in one column of the picture. */
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

/** Moved to where the grid's lines show the labels to belong. Without any, the letters' place must be near enough. */
function placed(raster: Raster, { axis, labels }: Fit, plot: Plot): Axis | undefined {
  const offset = offsetOfGrid(raster, labels, plot);
  if (offset !== undefined) return { ...axis, y: axis.y + offset };
  const height = heightOf(labels[0] as Label);
  return ASIDE * height <= MOST_WRONG * (plot.bottom - plot.top) ? axis : undefined;
}

/** Whether a power of ten is written above the axis, as in `1e6`: digits at full height with something lower among them. */
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
