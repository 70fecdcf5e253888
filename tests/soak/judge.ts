import type { Sample } from './samples.ts';

const HOUR = 3_600_000;
const MB = 1_000_000;

/** Share of the run that does not count: caches fill, code is compiled, the pool grows. */
const WARM_UP = 0.25;
/** Hours from which the hourly bars count. */
const LONG = 0.5;

interface Bar {
  /** Largest growth an hour. */
  hourly: number;
  /** Growth that a run shorter than half an hour may show in all: it is still warming up. */
  brief: number;
}

/** What may grow in each process. */
const BARS: Record<'heap' | 'rss' | 'descriptors', Bar> = {
  heap: { hourly: 5 * MB, brief: 4 * MB },
  rss: { hourly: 5 * MB, brief: 40 * MB },
  descriptors: { hourly: 10, brief: 40 },
};

type Growing = keyof typeof BARS;

export interface Growth {
  what: Growing;
  /** By least squares, after the warm-up. */
  hourly: number;
  /** Growth an hour that this run may show. */
  allowed: number;
  isOver: boolean;
}

/** Returns the slope of least squares through points, per unit of `x`. */
function slopeOf(points: readonly { x: number; y: number }[]): number {
  const mean = (pick: 'x' | 'y') => points.reduce((sum, point) => sum + point[pick], 0) / points.length;
  const [x0, y0] = [mean('x'), mean('y')];
  const above = points.reduce((sum, { x, y }) => sum + (x - x0) * (y - y0), 0);
  const below = points.reduce((sum, { x }) => sum + (x - x0) ** 2, 0);
  return below === 0 ? 0 : above / below;
}

/** Returns the samples after the warm-up. */
export function warm(samples: readonly Sample[]): Sample[] {
  const [first, last] = [samples.at(0)?.at ?? 0, samples.at(-1)?.at ?? 0];
  return samples.filter(({ at }) => at >= first + (last - first) * WARM_UP);
}

/** Judges what grew in a process. */
export function judge(samples: readonly Sample[]): Growth[] {
  const counted = warm(samples);
  if (counted.length < 3) throw new Error(`A slope needs at least 3 samples after the warm-up, not ${counted.length}.`);
  const hours = ((counted.at(-1)?.at ?? 0) - (counted[0]?.at ?? 0)) / HOUR;
  return (Object.keys(BARS) as Growing[]).map((what) => {
    const hourly = slopeOf(counted.map((sample) => ({ x: sample.at / HOUR, y: sample[what] })));
    const allowed = hours < LONG ? BARS[what].brief / hours : BARS[what].hourly;
    return { what, hourly, allowed, isOver: hourly > allowed };
  });
}
