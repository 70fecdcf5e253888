import { BACKGROUND, type InkMap, OTHER } from '../pixels/inks.ts';
import { type Color, distance, type Palette } from '../pixels/palette.ts';
import { lookOf, type Stroke, strokesOf } from './strokes.ts';

/** A curve of one ink, or of two alternating inks, over much of the picture's width. */
export interface Curve {
  /** A thin line, one that only grows or only falls, or candles too dense to separate. */
  kind: 'line' | 'sum' | 'texture';
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** Its rows at the left and right end. */
  start: number;
  end: number;
  /** Share of the picture's width. */
  reach: number;
}

const MIN_REACH = 0.35;
/** Minimum share of columns with upward, and with downward, wicks: for one ink, one ink in many strokes, two opposed inks. */
const SPIKES = { alone: 0.025, broken: 0.01, paired: 0.015 };
/** Minimum share of a line in one stroke; words have short strokes. */
const LONG_STROKE = 0.2;
/** A line has one stroke, or a few where others cross it. */
const MANY_STROKES = 12;
/** Minimum share of a line's columns with background above it: 0.82 to 1 of lines, at most 0.51 of the borders between the cells of a heat map. */
const MIN_OPEN = 0.7;
/** Minimum share of moves in one direction that makes a sum, such as the depth of an order book: 0.98; prices have 0.5 to 0.77. */
const MIN_ONE_WAY = 0.95;

/** How many inks to try alone, and in pairs. */
const MAX_ALONE = 6;
const MAX_PAIRED = 12;

/** Returns candles too dense to separate, otherwise the longest line. */
export function findCurve(map: InkMap, { colors }: Palette): Curve | undefined {
  const counts = new Map<number, number>();
  for (const number of map.ink) if (number !== BACKGROUND && number !== OTHER) counts.set(number, (counts.get(number) ?? 0) + 1);
  const inks = [...counts].sort((a, b) => b[1] - a[1]).map(([number]) => number);
  const wanted = [...inks.slice(0, MAX_ALONE).map((one) => [one]), ...pairsOf(inks.slice(0, MAX_PAIRED), counts, colors)];
  const lines = new Set<number>();
  let best: Curve | undefined;
  for (const together of wanted) {
    // Two crossing lines are not candles.
    if (together.length > 1 && together.some((one) => lines.has(one))) continue;
    const curve = judge(map, strokesOf(map, new Set(together)), together.length > 1);
    if (curve?.kind === 'texture') return curve;
    if (curve) lines.add(together[0] as number);
    if (curve && (!best || curve.reach > best.reach + 0.05)) best = curve;
  }
  return best;
}

/** Returns pairs of hues with similar frequency: rises and falls. */
function pairsOf(inks: readonly number[], counts: ReadonlyMap<number, number>, colors: readonly Color[]): number[][] {
  const pairs: number[][] = [];
  for (const [index, one] of inks.entries()) {
    for (const two of inks.slice(index + 1)) {
      const ratio = (counts.get(one) ?? 0) / (counts.get(two) ?? 1);
      const [first, second] = [colors[one - 1], colors[two - 1]];
      if (ratio > 4 || !first || !second || !areOpposed(first, second)) continue;
      // Overlapping candles mix their colors.
      pairs.push([one, two, ...inks.filter((other) => isBetween(colors[other - 1], first, second))]);
    }
  }
  return pairs.slice(0, MAX_ALONE);
}

/** Tests that one color is much redder and the other much greener or bluer. */
function areOpposed(one: Color, two: Color): boolean {
  const warmth = ({ red, green, blue }: Color) => red - Math.max(green, blue);
  return (warmth(one) > 50 && warmth(two) < -40) || (warmth(two) > 50 && warmth(one) < -40);
}

function isBetween(color: Color | undefined, one: Color, two: Color): boolean {
  if (!color || color === one || color === two) return false;
  return distance(color, one) + distance(color, two) < 1.1 * distance(one, two);
}

function judge(map: InkMap, strokes: readonly Stroke[], paired: boolean): Curve | undefined {
  const drawn = (paired ? withoutVolume(strokes) : strokes)
    .map((stroke) => ({ stroke, look: lookOf(stroke) }))
    .filter(({ look }) => look.single >= (paired ? 0.5 : 0.7) && look.breadths.length > 0);
  const covered = new Uint8Array(map.width);
  let top = map.height;
  let bottom = 0;
  let length = 0;
  let ups = 0;
  let downs = 0;
  const breadths: number[] = [];
  for (const { stroke, look } of drawn) {
    covered.fill(1, stroke.left, stroke.left + stroke.top.length);
    top = Math.min(top, ...stroke.top);
    bottom = Math.max(bottom, ...stroke.bottom);
    length += stroke.top.length;
    ups += look.ups;
    downs += look.downs;
    breadths.push(...look.breadths);
  }
  const columns = covered.reduce((sum, one) => sum + one, 0);
  const reach = columns / map.width;
  if (reach < MIN_REACH || bottom - top < 0.05 * map.height) return undefined;
  const place = {
    left: covered.indexOf(1),
    right: covered.lastIndexOf(1),
    top,
    bottom,
    reach,
    ...endsOf(drawn.map(({ stroke }) => stroke)),
  };
  // Text has spikes too, but in rows below one another.
  const spikes = drawn.length >= MANY_STROKES ? SPIKES.broken : paired ? SPIKES.paired : SPIKES.alone;
  if (Math.min(ups, downs) >= spikes * columns && length <= 1.4 * columns) return { kind: 'texture', ...place };
  const longest = Math.max(...drawn.map(({ stroke }) => stroke.top.length));
  if (paired || longest < LONG_STROKE * columns) return undefined;
  breadths.sort((a, b) => a - b);
  const at = (share: number) => breadths[Math.floor(share * (breadths.length - 1))] as number;
  const thin = Math.max(4, 0.008 * map.height);
  if (at(0.5) > thin || at(0.9) > 2.5 * thin) return undefined;
  const own = drawn.map(({ stroke }) => stroke);
  if (openAbove(map, own) < MIN_OPEN) return undefined;
  return { kind: oneWay(own) >= MIN_ONE_WAY ? 'sum' : 'line', ...place };
}

/** Minimum share of a stroke's columns that end on the lowest row of all, if it is bars of volume. */
const ON_FLOOR = 0.9;

/** Removes bars of volume in the candles' colors, which stand on one row below the candles. */
function withoutVolume(strokes: readonly Stroke[]): readonly Stroke[] {
  const floor = Math.max(...strokes.map(({ bottom }) => Math.max(...bottom)));
  return strokes.filter(({ bottom }) => bottom.filter((row) => row >= floor - 1).length < ON_FLOOR * bottom.length);
}

/** Rows above a line that must be empty. */
const SKY = 4;

/** Returns the share of a line's columns with background directly above it. */
function openAbove({ width, ink }: InkMap, strokes: readonly Stroke[]): number {
  let open = 0;
  let all = 0;
  for (const { left, top } of strokes) {
    for (const [column, row] of top.entries()) {
      const above = row - SKY;
      all++;
      if (above < 0 || ink[above * width + left + column] === BACKGROUND) open++;
    }
  }
  return open / all;
}

/** Returns the share of a line's moves that go in its main direction. */
function oneWay(strokes: readonly Stroke[]): number {
  let ups = 0;
  let downs = 0;
  for (const { top, bottom } of strokes) {
    for (let x = 1; x < top.length; x++) {
      const move = (top[x] as number) + (bottom[x] as number) - (top[x - 1] as number) - (bottom[x - 1] as number);
      if (move > 1) downs++;
      if (move < -1) ups++;
    }
  }
  return Math.max(ups, downs) / Math.max(1, ups + downs);
}

function endsOf(strokes: readonly Stroke[]): { start: number; end: number } {
  const middle = ({ top, bottom }: Stroke, column: number) => ((top.at(column) as number) + (bottom.at(column) as number)) / 2;
  const rightOf = ({ left, top }: Stroke) => left + top.length;
  const first = strokes.reduce((most, stroke) => (stroke.left < most.left ? stroke : most));
  const last = strokes.reduce((most, stroke) => (rightOf(stroke) > rightOf(most) ? stroke : most));
  return { start: middle(first, 0), end: middle(last, -1) };
}
