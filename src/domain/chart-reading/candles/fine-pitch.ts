import type { Lattice } from './lattice.ts';

/** How far a spacing must stand out from all others. */
const LEAST_PEAK = 8;
/** Columns to each side that what stands in one is compared with. */
const WINDOW = 4;
/** Contrasts above this count as this. */
const MOST_CONTRAST = 100;
/** Frequencies that are tried for each that a width can tell apart. */
const FINENESS = 6;

/** The even spacing of what is drawn in a picture's columns, to a fraction of a pixel; undefined where no spacing stands out. */
export function findFinePitch(
  contrast: Float32Array,
  width: number,
  height: number,
  { least, most }: { least: number; most: number },
): Lattice | undefined {
  const sums = new Float64Array(width);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) sums[x] = (sums[x] as number) + Math.min(MOST_CONTRAST, contrast[at] as number);
  const waves = sums.map((sum, x) => {
    const from = Math.max(0, x - WINDOW);
    const near = sums.subarray(from, Math.min(width, x + WINDOW + 1));
    const mean = near.reduce((all, one) => all + one, 0) / near.length;
    // Tall columns count, but not for all they are.
    return (sum - mean) / Math.sqrt(mean + 20);
  });
  const powers: number[] = [];
  const step = 1 / (FINENESS * width);
  let best = { frequency: 0, power: 0, phase: 0 };
  for (let frequency = 1 / most; frequency <= 1 / least; frequency += step) {
    let cosine = 0;
    let sine = 0;
    const turn = 2 * Math.PI * frequency;
    for (let x = 0; x < width; x++) {
      cosine += (waves[x] as number) * Math.cos(turn * x);
      sine += (waves[x] as number) * Math.sin(turn * x);
    }
    const power = Math.hypot(cosine, sine);
    powers.push(power);
    if (power > best.power) best = { frequency, power, phase: Math.atan2(sine, cosine) };
  }
  powers.sort((a, b) => a - b);
  const usual = powers[powers.length >> 1] as number;
  if (best.power < LEAST_PEAK * usual) return undefined;
  const pitch = 1 / best.frequency;
  const start = (best.phase / (2 * Math.PI)) * pitch;
  return { start: start < 0 ? start + pitch : start, pitch };
}
