import type { Sample } from './samples.ts';

const HOUR = 3_600_000;
const MB = 1_000_000;

/** Share of the run that does not count: caches fill, code is compiled, the pool grows. */
const WARM_UP = 0.25;
/** Hours from which the hourly bars count. */
const LONG = 0.5;
/** Standard errors by which a slope must exceed its bar: samples that only scatter have some slope too. */
const CERTAIN = 2;

interface Bar {
  /** Largest growth an hour. */
  hourly: number;
  /** Growth that a run shorter than 40 minutes may show in all: it is still warming up. */
  brief: number;
}

/** What may grow in each process. */
const BARS: Record<'heap' | 'outside' | 'descriptors', Bar> = {
  heap: { hourly: 5 * MB, brief: 4 * MB },
  outside: { hourly: 5 * MB, brief: 40 * MB },
  descriptors: { hourly: 10, brief: 40 },
};

type Growing = keyof typeof BARS;

export interface Growth {
  what: Growing;
  /** By least squares, after the warm-up. */
  hourly: number;
  /** Standard error of `hourly`, from the scatter of the samples around the slope. */
  error: number;
  /** Growth an hour that this run may show. */
  allowed: number;
  isOver: boolean;
}

/** Returns the slope of least squares through points, per unit of `x`, and its standard error. */
function slopeOf(points: readonly { x: number; y: number }[]): { slope: number; error: number } {
  const sum = (of: (point: { x: number; y: number }) => number) => points.reduce((total, point) => total + of(point), 0);
  const x0 = sum(({ x }) => x) / points.length;
  const y0 = sum(({ y }) => y) / points.length;
  const spread = sum(({ x }) => (x - x0) ** 2);
  if (spread === 0) return { slope: 0, error: 0 };
  const slope = sum(({ x, y }) => (x - x0) * (y - y0)) / spread;
  const scatter = sum(({ x, y }) => (y - y0 - slope * (x - x0)) ** 2) / (points.length - 2);
  return { slope, error: Math.sqrt(scatter / spread) };
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
    const { slope: hourly, error } = slopeOf(counted.map((sample) => ({ x: sample.at / HOUR, y: sample[what] })));
    const allowed = hours < LONG ? BARS[what].brief / hours : BARS[what].hourly;
    return { what, hourly, error, allowed, isOver: hourly - CERTAIN * error > allowed };
  });
}
