import { FUNDING_EVERY, USUAL_FUNDING } from '../matching/perpetual.ts';
import { BadFile, readColumns } from './candle-file.ts';

/** The rate that falls due in [from, to), ms; of several, their sum. A fraction of the position's value; longs pay what is above 0. */
export type FundingBetween = (from: number, to: number) => number;

/** The usual rate, as often as it falls due. */
export const usualFunding: FundingBetween = (from, to) => (Math.ceil(to / FUNDING_EVERY) - Math.ceil(from / FUNDING_EVERY)) * USUAL_FUNDING;

/** Rates that were paid, and the time that they are told of, ms; before and after it the usual rate is assumed. */
export interface GivenFunding {
  between: FundingBetween;
  from: number;
  to: number;
}

/** Rates of a CSV text with the columns timestamp (ms UTC) and funding_rate; oldest first. Throws `BadFile`. */
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
  /** Paid from the first one until before the one of this index. */
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
