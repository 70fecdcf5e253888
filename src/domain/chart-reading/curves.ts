import { BACKGROUND, type InkMap, OTHER } from './inks';

/** What one ink, or two that alternate, draw from left to right over much of the picture. */
export interface Curve {
  /** A thin line, or candles too close together to tell apart. */
  kind: 'line' | 'texture';
  left: number;
  right: number;
  top: number;
  bottom: number;
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

/** The curve that reaches furthest, if any reaches over a good part of the picture. */
export function findCurve(map: InkMap): Curve | undefined {
  const counts = new Map<number, number>();
  for (const number of map.ink) if (number !== BACKGROUND && number !== OTHER) counts.set(number, (counts.get(number) ?? 0) + 1);
  const inks = [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 6)
    .map(([number]) => number);
  const pairs = inks.slice(0, 4).flatMap((one, index) => inks.slice(index + 1, 4).map((two) => [one, two]));
  let best: Curve | undefined;
  for (const wanted of [...inks.map((one) => [one]), ...pairs]) {
    const curve = judge(map, strokesOf(map, new Set(wanted)), wanted.length > 1);
    if (curve && (!best || curve.reach > best.reach + 0.05)) best = curve;
  }
  return best;
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
      for (let dy = -1; dy <= 1; dy++) {
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
    if (right - left < Math.max(12, 0.02 * width)) continue;
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
  /** How much thicker than its own steps a stroke is: its breadth for a line, the candles' height for a texture. */
  excess: number[];
}

function lookOf({ top, bottom, filled }: Stroke): Look {
  let single = 0;
  const excess: number[] = [];
  for (let x = 0; x < top.length; x++) {
    const from = top[x] as number;
    const to = bottom[x] as number;
    if (to < from) continue;
    const rows = to - from + 1;
    if ((filled[x] as number) >= 0.75 * rows) single++;
    const nextFrom = top[x + 1] ?? from;
    const nextTo = bottom[x + 1] ?? to;
    if (nextTo >= nextFrom) excess.push(Math.min(to, nextTo) - Math.max(from, nextFrom) + 1);
  }
  return { single: single / top.length, excess };
}

function judge(map: InkMap, strokes: readonly Stroke[], paired: boolean): Curve | undefined {
  const drawn = strokes
    .map((stroke) => ({ stroke, look: lookOf(stroke) }))
    .filter(({ look }) => look.single >= (paired ? 0.5 : 0.7) && look.excess.length > 0);
  const covered = new Uint8Array(map.width);
  let top = map.height;
  let bottom = 0;
  const excess: number[] = [];
  for (const { stroke, look } of drawn) {
    covered.fill(1, stroke.left, stroke.left + stroke.top.length);
    top = Math.min(top, ...stroke.top);
    bottom = Math.max(bottom, ...stroke.bottom);
    excess.push(...look.excess);
  }
  const reach = covered.reduce((sum, one) => sum + one, 0) / map.width;
  if (reach < LEAST_REACH || bottom - top < 0.05 * map.height) return undefined;
  excess.sort((a, b) => a - b);
  const at = (share: number) => excess[Math.floor(share * (excess.length - 1))] as number;
  const thin = Math.max(4, 0.008 * map.height);
  const isLine = at(0.5) <= thin && at(0.9) <= 2.5 * thin;
  if (!isLine && at(0.5) > 0.2 * map.height) return undefined;
  if (paired || !isLine) return undefined;
  return { kind: isLine ? 'line' : 'texture', left: covered.indexOf(1), right: covered.lastIndexOf(1), top, bottom, reach };
}
