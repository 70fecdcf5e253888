import { heightOf } from './glyphs.ts';
import type { Label } from './labels.ts';
import { type Mark, numberIn, type Written } from './numbers.ts';

/** A linear price axis: the price at row `y`, and the price change per row. */
export interface Axis {
  y: number;
  price: number;
  perPixel: number;
}

export interface Fit {
  axis: Axis;
  /** Labels on the axis, from the top. */
  labels: Label[];
}

/** Rows of the candles' highest and lowest price. */
export interface Rows {
  top: number;
  bottom: number;
}

const MIN_LABELS = 4;
/** Maximum distance of a label from its row: in rows, and in label heights. */
const BESIDE = { rows: 1, heights: 0.1 };
/** Minimum distance of two labels, in label heights: order lists are denser. */
const MIN_STEP = 2.6;
/** Leading digits of the steps that axes use. */
const STEPS = new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 25, 75, 125]);
/** Minimum number of labels beside the candles, share of the candles' rows they span, and how far candles may extend beyond them. */
const MIN_NEAR = 2;
const MIN_SPREAD = 0.5;
const MAX_BEYOND = 0.6;

type Numbered = Label & Written & { value: number; middle: number };

/**
 * Returns the line through the labels of one column. It needs at least four labels on multiples of one round step, and no label of
 * `all` between them off the line. `mark` is the decimal separator.
 */
export function fitLabels(column: readonly Label[], mark: Mark, { all, rows }: { all: readonly Label[]; rows: Rows }): Fit | undefined {
  const labels = column.map((label) => {
    const written = numberIn(label.text, mark);
    const middle = (label.top + label.bottom) / 2;
    return { ...label, middle, ...(written ? { ...written, value: written.units * 10 ** written.exponent } : NO_NUMBER) };
  });
  const fit = bestLine(labels);
  if (!fit) return undefined;
  const { axis, on } = fit;
  const [first, last] = [on[0] as Numbered, on.at(-1) as Numbered];
  const near = on.filter(({ middle }) => middle >= rows.top - 2 && middle <= rows.bottom + 2);
  const spread = last.middle - first.middle;
  const isBeside = near.length >= MIN_NEAR && spread >= MIN_SPREAD * (rows.bottom - rows.top);
  const beyond = Math.max(first.middle - rows.top, rows.bottom - last.middle);
  if (!isBeside || beyond > MAX_BEYOND * spread || !(priceOn(axis, rows.bottom) > 0)) return undefined;
  const isAlone = all.every(
    (label) => on.some(({ top, left }) => top === label.top && left === label.left) || isElsewhere(label, on, rows),
  );
  return isAlone && isEven(on) && isProven(on) ? { axis, labels: on } : undefined;
}

/** Tests for a label above, below or beside the candles and the axis. */
function isElsewhere(label: Label, axis: readonly Label[], rows: Rows): boolean {
  const [top, left] = (['top', 'left'] as const).map((edge) => Math.min(...axis.map((other) => other[edge]))) as [number, number];
  const [bottom, right] = (['bottom', 'right'] as const).map((edge) => Math.max(...axis.map((other) => other[edge]))) as [number, number];
  const isBeyond = label.bottom < Math.min(rows.top, top) || label.top > Math.max(rows.bottom, bottom);
  return isBeyond || label.right < left || label.left > right;
}

const NO_NUMBER = { units: Number.NaN, exponent: 0, value: Number.NaN };

export const priceOn = ({ y, price, perPixel }: Axis, row: number): number => price + (row - y) * perPixel;

/** Returns the line that most labels are on, among falling ones. */
function bestLine(labels: readonly Numbered[]): { axis: Axis; on: Numbered[] } | undefined {
  let best: Numbered[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const [index, one] of labels.entries()) {
    for (const other of labels.slice(index + 1)) {
      const perPixel = (other.value - one.value) / (other.middle - one.middle);
      if (!(perPixel < 0) || !Number.isFinite(perPixel)) continue;
      const apartOf = ({ value, middle }: Numbered) => Math.abs(middle - one.middle - (value - one.value) / perPixel);
      const on = labels.filter((label) => apartOf(label) <= Math.max(BESIDE.rows, BESIDE.heights * heightOf(label)));
      const apart = on.reduce((sum, label) => sum + apartOf(label), 0);
      if (on.length < best.length || (on.length === best.length && apart >= least)) continue;
      best = on;
      least = apart;
    }
  }
  if (best.length < MIN_LABELS) return undefined;
  const on = best.sort((a, b) => a.middle - b.middle);
  return { axis: lineThrough(on), on };
}

/** Least squares. */
function lineThrough(labels: readonly Numbered[]): Axis {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const y = mean(labels.map(({ middle }) => middle));
  const price = mean(labels.map(({ value }) => value));
  const products = labels.reduce((sum, { middle, value }) => sum + (middle - y) * (value - price), 0);
  return { y, price, perPixel: products / labels.reduce((sum, { middle }) => sum + (middle - y) ** 2, 0) };
}

/** Tests that all labels are multiples of one round step and as far apart as on an axis. */
function isEven(labels: readonly Numbered[]): boolean {
  const least = Math.min(...labels.map(({ exponent }) => exponent));
  const whole = labels.map(({ units, exponent }) => Math.round(units * 10 ** (exponent - least)));
  const steps = whole.slice(1).map((value, index) => Math.abs(value - (whole[index] as number)));
  const step = steps.reduce(greatestDivisor);
  if (step === 0 || !STEPS.has(firstDigits(step)) || whole.some((value) => value % step !== 0)) return false;
  return labels.slice(1).every((label, index) => label.middle - (labels[index] as Numbered).middle >= MIN_STEP * heightOf(label));
}

/**
 * Tests that no digit is wrong in every label. Digits that vary, and those after them, would break the steps. Each digit before them
 * must be certain or occur among the others.
 */
function isProven(labels: readonly Numbered[]): boolean {
  const least = Math.min(...labels.map(({ exponent }) => exponent));
  const texts = labels.map(({ text, exponent }) => text.replace(/\D/g, '') + '0'.repeat(exponent - least));
  const longest = Math.max(...texts.map(({ length }) => length));
  const rows = texts.map((text) => text.padStart(longest));
  let same = 0;
  while (rows.every((row) => row[same] === rows[0]?.[same])) same++;
  const behind = rows.map((row) => row.slice(same)).join('');
  const before = [...new Set(rows[0]?.slice(0, same))];
  return before.every((digit) => behind.includes(digit) || !labels.some(({ unsure }) => unsure.includes(digit)));
}

const greatestDivisor = (one: number, other: number): number => (other === 0 ? one : greatestDivisor(other, one % other));

const firstDigits = (value: number): number => (value % 10 === 0 ? firstDigits(value / 10) : value);
