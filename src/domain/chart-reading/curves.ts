import { BACKGROUND, type InkMap, OTHER } from './inks';
import { type Colour, distance, type Palette } from './palette';

/** What one ink, or two that alternate, draw from left to right over much of the picture. */
export interface Curve {
  /** A thin line, or candles too close together to tell apart. */
  kind: 'line' | 'texture';
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** Its height, a row, at its left and at its right end. */
  start: number;
  end: number;
  /** Share of the picture's width. */
  reach: number;
}

/** Touching pixels of the wanted inks: top and bottom row and number of pixels in each column. */
interface Stroke {
  left: number;
  top: Int32Array;
  bottom: Int32Array;
  filled: Int32Array;
  area: number;
}

const LEAST_REACH = 0.35;
/** Wicks upwards, and as many downwards, as a share of the columns: of one ink, of one in many pieces, and of two that are opposed. */
const SPIKES = { alone: 0.025, broken: 0.01, paired: 0.015 };
/** A line is one stroke, or few where others cross it. */
const MANY_STROKES = 12;

/** Inks that are looked at alone, and among which pairs are looked for. */
const MOST_ALONE = 6;
const MOST_PAIRED = 12;

/** Candles too close together to tell apart, or else the line that reaches furthest. */
export function findCurve(map: InkMap, { colours }: Palette): Curve | undefined {
  const counts = new Map<number, number>();
  for (const number of map.ink) if (number !== BACKGROUND && number !== OTHER) counts.set(number, (counts.get(number) ?? 0) + 1);
  const inks = [...counts].sort((a, b) => b[1] - a[1]).map(([number]) => number);
  const wanted = [...inks.slice(0, MOST_ALONE).map((one) => [one]), ...pairsOf(inks.slice(0, MOST_PAIRED), counts, colours)];
  let best: Curve | undefined;
  for (const together of wanted) {
    const curve = judge(map, strokesOf(map, new Set(together)), together.length > 1);
    if (curve?.kind === 'texture') return curve;
    if (curve && (!best || curve.reach > best.reach + 0.05)) best = curve;
  }
  return best;
}

/** Two hues that are used about as much: rises and falls. */
function pairsOf(inks: readonly number[], counts: ReadonlyMap<number, number>, colours: readonly Colour[]): number[][] {
  const pairs: number[][] = [];
  for (const [index, one] of inks.entries()) {
    for (const two of inks.slice(index + 1)) {
      const ratio = (counts.get(one) ?? 0) / (counts.get(two) ?? 1);
      const [first, second] = [colours[one - 1], colours[two - 1]];
      if (ratio > 4 || !first || !second || !areOpposed(first, second)) continue;
      // Where candles overlap, their colours mix.
      pairs.push([one, two, ...inks.filter((other) => isBetween(colours[other - 1], first, second))]);
    }
  }
  return pairs.slice(0, MOST_ALONE);
}

/** One is redder, the other greener or bluer, by far. */
function areOpposed(one: Colour, two: Colour): boolean {
  const warmth = ({ red, green, blue }: Colour) => red - Math.max(green, blue);
  return (warmth(one) > 50 && warmth(two) < -40) || (warmth(two) > 50 && warmth(one) < -40);
}

function isBetween(colour: Colour | undefined, one: Colour, two: Colour): boolean {
  if (!colour || colour === one || colour === two) return false;
  return distance(colour, one) + distance(colour, two) < 1.1 * distance(one, two);
}

/** Joins what a smooth edge or a crossing line interrupts: pieces may lie one pixel apart. */
function strokesOf({ width, height, ink }: InkMap, wanted: ReadonlySet<number>): Stroke[] {
  const seen = new Uint8Array(ink.length);
  const strokes: Stroke[] = [];
  const stack: number[] = [];
  for (let start = 0; start < ink.length; start++) {
    if (seen[start] || !wanted.has(ink[start] as number)) continue;
    const pixels: number[] = [];
    seen[start] = 1;
    stack.push(start);
    let left = width;
    let right = 0;
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      pixels.push(at);
      const x = at % width;
      const y = (at - x) / width;
      left = Math.min(left, x);
      right = Math.max(right, x);
      for (let dy = -2; dy <= 2; dy++) {
        for (let dx = -2; dx <= 2; dx++) {
          const nx = x + dx;
          const ny = y + dy;
          if (nx < 0 || ny < 0 || nx >= width || ny >= height) continue;
          const next = ny * width + nx;
          if (seen[next] || !wanted.has(ink[next] as number)) continue;
          seen[next] = 1;
          stack.push(next);
        }
      }
    }
    if (right - left < Math.max(10, 0.01 * width)) continue;
    const columns = right - left + 1;
    const stroke: Stroke = {
      left,
      top: new Int32Array(columns).fill(height),
      bottom: new Int32Array(columns).fill(-1),
      filled: new Int32Array(columns),
      area: pixels.length,
    };
    for (const at of pixels) {
      const x = (at % width) - left;
      const y = (at - left - x) / width;
      stroke.top[x] = Math.min(stroke.top[x] as number, y);
      stroke.bottom[x] = Math.max(stroke.bottom[x] as number, y);
      stroke.filled[x] = (stroke.filled[x] as number) + 1;
    }
    strokes.push(stroke);
  }
  return strokes;
}

interface Look {
  /** Columns with one stretch of ink. */
  single: number;
  /** Breadth along the stroke: its ink for each pixel of its length, in windows of some columns. */
  breadths: number[];
  /** Columns that stick out upwards or downwards alone, as wicks do. */
  ups: number;
  downs: number;
}

/** Columns over which a breadth is taken. */
const WINDOW = 9;

function lookOf({ top, bottom, filled }: Stroke): Look {
  let single = 0;
  for (let x = 0; x < top.length; x++) {
    const rows = (bottom[x] as number) - (top[x] as number) + 1;
    if (rows > 0 && (filled[x] as number) >= 0.75 * rows) single++;
  }
  const middle = (x: number) => ((top[x] as number) + (bottom[x] as number)) / 2;
  const breadths: number[] = [];
  for (let start = 0; start + WINDOW < top.length; start += WINDOW) {
    let area = 0;
    let length = 0;
    for (let x = start; x < start + WINDOW; x++) {
      area += filled[x] as number;
      length += Math.hypot(1, middle(x + 1) - middle(x));
    }
    breadths.push(area / length);
  }
  let ups = 0;
  let downs = 0;
  for (let x = 1; x + 1 < top.length; x++) {
    const [before, here, after] = [top[x - 1], top[x], top[x + 1]] as [number, number, number];
    const [under, foot, beyond] = [bottom[x - 1], bottom[x], bottom[x + 1]] as [number, number, number];
    if (here <= before - 2 && here <= after - 2 && foot >= Math.max(under, beyond) - 1) ups++;
    if (foot >= under + 2 && foot >= beyond + 2 && here <= Math.min(before, after) + 1) downs++;
  }
  return { single: single / top.length, breadths, ups, downs };
}

function judge(map: InkMap, strokes: readonly Stroke[], paired: boolean): Curve | undefined {
  const drawn = strokes
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
  if (reach < LEAST_REACH || bottom - top < 0.05 * map.height) return undefined;
  const place = {
    left: covered.indexOf(1),
    right: covered.lastIndexOf(1),
    top,
    bottom,
    reach,
    ...endsOf(drawn.map(({ stroke }) => stroke)),
  };
  // Text has spikes too, but one row of it below the other.
  const spikes = drawn.length >= MANY_STROKES ? SPIKES.broken : paired ? SPIKES.paired : SPIKES.alone;
  if (Math.min(ups, downs) >= spikes * columns && length <= 1.4 * columns) return { kind: 'texture', ...place };
  if (paired) return undefined;
  breadths.sort((a, b) => a - b);
  const at = (share: number) => breadths[Math.floor(share * (breadths.length - 1))] as number;
  const thin = Math.max(4, 0.008 * map.height);
  return at(0.5) <= thin && at(0.9) <= 2.5 * thin ? { kind: 'line', ...place } : undefined;
}

function endsOf(strokes: readonly Stroke[]): { start: number; end: number } {
  const middle = ({ top, bottom }: Stroke, column: number) => ((top.at(column) as number) + (bottom.at(column) as number)) / 2;
  const rightOf = ({ left, top }: Stroke) => left + top.length;
  const first = strokes.reduce((most, stroke) => (stroke.left < most.left ? stroke : most));
  const last = strokes.reduce((most, stroke) => (rightOf(stroke) > rightOf(most) ? stroke : most));
  return { start: middle(first, 0), end: middle(last, -1) };
}
