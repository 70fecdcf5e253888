import type { DrawnLevel, DrawnMark } from './overlays.ts';

/** The part of an axis that a label covers, px; null for one out of view. */
type Span = readonly [from: number, to: number] | null;

/** Height of a label on the price axis, and the width of a letter beside a mark; px. */
const LABEL_HEIGHT = 18;
const LETTER_WIDTH = 7;
/** Width of a line's title at the end of the candles, px. */
const TITLE_WIDTH = 48;
/** Weaker levels have no label. */
const LABELED_STRENGTH = 0.5;

/** Returns which labels have room. The first ones take their place first. */
export function withRoom(spans: readonly Span[]): boolean[] {
  const taken: NonNullable<Span>[] = [];
  return spans.map((span) => {
    if (!span || taken.some(([from, to]) => span[0] < to && from < span[1])) return false;
    taken.push(span);
    return true;
  });
}

const around = (center: number | null, size: number): Span => (center === null ? null : [center - size / 2, center + size / 2]);

interface AxisLabels {
  levels: readonly DrawnLevel[];
  /** Prices that always have a label: the last one, and those with a meaning. */
  fixed: readonly number[];
  /** Returns a price's place on the axis, px. */
  placeOf: (price: number) => number | null;
}

/** Returns the levels that have a label on the price axis, the strongest first; the others would cover a label. */
export function labeledLevels({ levels, fixed, placeOf }: AxisLabels): DrawnLevel[] {
  const ranked = levels.filter(({ strength }) => strength >= LABELED_STRENGTH).sort((a, b) => b.strength - a.strength);
  const room = withRoom([...fixed, ...ranked.map(({ price }) => price)].map((price) => around(placeOf(price), LABEL_HEIGHT)));
  return ranked.filter((_, index) => room[fixed.length + index]);
}

/** Whether a tick of the price axis would show from under a label. */
export const isCovered = (tick: number, labels: readonly number[], placeOf: AxisLabels['placeOf']): boolean => {
  const at = placeOf(tick);
  return at !== null && labels.some((price) => Math.abs((placeOf(price) ?? Number.POSITIVE_INFINITY) - at) < LABEL_HEIGHT);
};

interface MarkTexts {
  marks: readonly DrawnMark[];
  /** Returns a candle's place on the time axis, px. */
  placeOf: (time: number) => number | null;
  /** Width of the candles, px. */
  width: number;
  /** Whether lines have their titles at the end of the candles. */
  hasTitles: boolean;
}

/** Returns marks without the texts that would cover another one or be cut off. Of two marks, the newer one keeps its text. */
export function labeledMarks({ marks, placeOf, width, hasTitles }: MarkTexts): DrawnMark[] {
  const end = hasTitles ? width - TITLE_WIDTH : width;
  const spanOf = ({ time, text }: DrawnMark): Span => {
    const span = around(placeOf(time), text.length * LETTER_WIDTH);
    return span && span[1] <= end ? span : null;
  };
  const isBelow = ({ shape }: DrawnMark): boolean => shape === 'arrowUp';
  const newestFirst = [...marks].reverse();
  const labeled = [true, false].flatMap((below) => {
    const ofSide = newestFirst.filter((mark) => isBelow(mark) === below);
    const room = withRoom(ofSide.map(spanOf));
    return ofSide.filter((_, index) => room[index]);
  });
  return marks.map((mark) => (labeled.includes(mark) ? mark : { ...mark, text: '' }));
}
