import { FUNDING_EVERY, USUAL_FUNDING } from '../matching/perpetual.ts';
import { BadFile, readColumns } from './candle-file.ts';

/** Returns the sum of the rates due in [from, to), ms. Fractions of the position's value; longs pay positive rates. */
export type FundingBetween = (from: number, to: number) => number;

/** The usual rate at every due time. */
export const usualFunding: FundingBetween = (from, to) => (Math.ceil(to / FUNDING_EVERY) - Math.ceil(from / FUNDING_EVERY)) * USUAL_FUNDING;

/** Historical rates. The usual rate applies before the first and after the last. */
export interface GivenFunding {
  between: FundingBetween;
  from: number;
  to: number;
}

/** Reads rates of a CSV text with the columns timestamp (ms UTC) and funding_rate; oldest first. Throws `BadFile`. */
export function readFunding(text: string): GivenFunding {
  const rows = readColumns(text, ['timestamp', 'funding_rate']);
  const times = rows.map(([time = 0]) => time);
  const unordered = times.findIndex((time, index) => index > 0 && time <= (times[index - 1] as number));
  if (unordered > 0) throw new BadFile(`Line ${unordered + 2}: times have to rise from line to line.`);
  const [first] = times;
  const last = times.at(-1);
  if (first === undefined || last === undefined) throw new BadFile('There is no rate.');
  const end = last + FUNDING_EVERY;
  let sum = 0;
  /** Sum of the rates before each index. */
  const paid = [0, ...rows.map(([, rate = 0]) => (sum += rate))];
  const before = (at: number) => paid[countBelow(times, at)] ?? 0;
  const usual = (from: number, to: number) => (from < to ? usualFunding(from, to) : 0);
  return {
    between: (from, to) => before(to) - before(from) + usual(from, Math.min(to, first)) + usual(Math.max(from, end), to),
    from: first,
    to: end,
  };
}

function countBelow(times: readonly number[], at: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
