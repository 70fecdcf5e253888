import { BACKGROUND, type InkMap, OTHER } from '../pixels/inks.ts';
import { findLattice, type Lattice } from './lattice.ts';
import type { Shape } from './shapes.ts';

/** How many inks to try as the second candle color. */
const MAX_PARTNERS = 3;

export function groupByInk(shapes: readonly Shape[]): Map<number, Shape[]> {
  const groups = new Map<number, Shape[]>();
  for (const shape of shapes) {
    const group = groups.get(shape.ink);
    if (group) group.push(shape);
    else groups.set(shape.ink, [shape]);
  }
  return groups;
}

/** Returns the spacing of one ink's shapes, or of both inks' shapes if one has too few. */
export function latticeOf(own: readonly Shape[], alike: readonly Shape[], limits: { least: number; most: number }): Lattice | undefined {
  const middles = own.map(({ x }) => x);
  const alone = findLattice(middles, limits);
  if (alone) return alone;
  const others = [...groupByInk(alike.filter(({ ink }) => ink !== own[0]?.ink)).values()].sort((a, b) => b.length - a.length);
  for (const other of others.slice(0, MAX_PARTNERS)) {
    const together = findLattice([...middles, ...other.map(({ x }) => x)], limits);
    if (together) return together;
  }
  return undefined;
}

/** Evidence of each shape kind. A box may be anything, or a candle whose wick has another color. */
const WEIGHTS = { candle: 1, bar: 1, box: 0.4 };
/** Narrow shapes count less, because letters are small. */
const weightOf = ({ kind, width }: Shape) => WEIGHTS[kind] * Math.min(1, width / 9);

/** Returns the most frequent width, and the evidence of the shapes that have it. */
export function commonWidth(shapes: readonly Shape[]): { width: number; weight: number } {
  const weights = new Map<number, number>();
  for (const shape of shapes) {
    for (const near of [shape.width - 1, shape.width, shape.width + 1]) {
      weights.set(near, (weights.get(near) ?? 0) + weightOf(shape) * (near === shape.width ? 1 : 0.5));
    }
  }
  const weight = Math.max(0, ...weights.values());
  // Charts round widths, so the wider of two equally frequent ones is right.
  const width = Math.max(3, ...[...weights].filter(([, other]) => other >= 0.85 * weight).map(([known]) => known));
  return { width, weight };
}

/** Returns the inks whose shapes fit the lattice, and the ink of the wicks if it differs. */
export function candleInks(map: InkMap, own: readonly Shape[], sized: readonly Shape[], { start, pitch }: Lattice): Set<number> {
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
      // A wick has different pixels on both sides; a horizontal line doesn't.
      const isWick = map.ink[at - aside] !== number && map.ink[at + aside] !== number;
      if (isWick && number !== undefined && number !== BACKGROUND && number !== OTHER) above.set(number, (above.get(number) ?? 0) + 1);
    }
  }
  for (const [number, count] of above) if (count >= 0.6 * boxes.length && boxes.length >= 4) inks.add(number);
  return inks;
}
