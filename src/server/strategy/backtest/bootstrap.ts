import { createRandom } from '#domain/random.ts';
import { quantile } from './quantile.ts';

export const RESAMPLES = 10_000;

export interface MeanInterval {
  mean: number;
  /** Ends of the 95% interval. */
  low: number;
  high: number;
}

/** Returns the mean of values with its 95% interval, from seeded resamples; null without values. */
export function bootstrapMean(values: readonly number[], seed: number): MeanInterval | null {
  if (values.length === 0) return null;
  const random = createRandom(seed);
  const meanOf = (pick: (index: number) => number) => values.reduce((sum, _, index) => sum + pick(index), 0) / values.length;
  const means = Array.from({ length: RESAMPLES }, () => meanOf(() => values[Math.floor(random() * values.length)] as number));
  return { mean: meanOf((index) => values[index] as number), low: quantile(means, 0.025), high: quantile(means, 0.975) };
}
