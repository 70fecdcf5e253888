import { COLUMNS, ROWS } from './cells.ts';
import { TEMPLATES } from './templates.ts';

/** Mean squared difference to the nearest template at most, and how many times further that of any other character must be. */
const READ = { apart: 0.05, margin: 1.4 };
/** The same for what nothing else proves. */
const SURE = { apart: 0.035, margin: 1.8 };
/** Of two that are both near, how much further at least. */
const LEAST_MARGIN = 0.004;

/** What is no nearer than this is not looked at closely. */
const FAR = READ.margin * READ.apart + LEAST_MARGIN;

const templates = Object.entries(TEMPLATES).flatMap(([character, shapes]) =>
  shapes.map((shape) => ({ character, cells: Float32Array.from(shape, (cell) => Number.parseInt(cell, 16) / 15) })),
);

export interface Character {
  sign: string;
  /** Whether it can hardly be another. */
  isSure: boolean;
}

/** The character that these cells show; undefined if it is none that is known, or may well be another. */
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
  const isWithin = (limits: typeof READ) => apart <= limits.apart && other >= limits.margin * apart + LEAST_MARGIN;
  return isWithin(READ) ? { sign: nearest, isSure: isWithin(SURE) } : undefined;
}

/** The mean squared difference of two glyphs, 0 to 1; something above `most` if it is more than that. */
function differenceOf(one: Float32Array, other: Float32Array, most: number): number {
  const enough = most * COLUMNS * ROWS;
  let sum = 0;
  for (let at = 0; at < one.length && sum <= enough; at++) sum += ((one[at] as number) - (other[at] as number)) ** 2;
  return sum / (COLUMNS * ROWS);
}
