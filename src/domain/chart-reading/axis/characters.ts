import { COLUMNS, ROWS } from './cells.ts';
import { TEMPLATES } from './templates.ts';

/** Maximum mean squared difference to the nearest template, and how many times farther every other character must be. */
const READ = { apart: 0.05, margin: 1.4 };
/** The same, for a character that no other evidence confirms. */
const SURE = { apart: 0.035, margin: 1.8 };
/** Minimum difference between two near candidates. */
const MIN_MARGIN = 0.004;

/** Comparisons stop above this difference. */
const FAR = READ.margin * READ.apart + MIN_MARGIN;

const templates = Object.entries(TEMPLATES).flatMap(([character, shapes]) =>
  shapes.map((shape) => ({ character, cells: Float32Array.from(shape, (cell) => Number.parseInt(cell, 16) / 15) })),
);

export interface Character {
  sign: string;
  /** True if it can hardly be another character. */
  isSure: boolean;
}

/** Returns the character that the cells show. Undefined for an unknown or ambiguous one. */
export function characterOf(cells: Float32Array): Character | undefined {
  let nearest = '';
  let apart = Number.POSITIVE_INFINITY;
  let other = Number.POSITIVE_INFINITY;
  for (const template of templates) {
    const distance = differenceOf(template.cells, cells, Math.min(other, FAR));
    if (template.character === nearest) apart = Math.min(apart, distance);
    else if (distance < apart) {
      other = apart;
      apart = distance;
      nearest = template.character;
    } else other = Math.min(other, distance);
  }
  const isWithin = (limits: typeof READ) => apart <= limits.apart && other >= limits.margin * apart + MIN_MARGIN;
  return isWithin(READ) ? { sign: nearest, isSure: isWithin(SURE) } : undefined;
}

/** Returns the mean squared difference of two glyphs, 0 to 1, or any value above `most` if it exceeds that. */
function differenceOf(one: Float32Array, other: Float32Array, most: number): number {
  const enough = most * COLUMNS * ROWS;
  let sum = 0;
  for (let at = 0; at < one.length && sum <= enough; at++) sum += ((one[at] as number) - (other[at] as number)) ** 2;
  return sum / (COLUMNS * ROWS);
}
