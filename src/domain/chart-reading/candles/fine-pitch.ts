import type { Lattice } from './lattice.ts';

/** Minimum prominence of a spacing over all others. */
const MIN_PEAK = 8;
/** Columns on each side to compare a column with. */
const WINDOW = 4;
/** Maximum contrast that counts. */
const MAX_CONTRAST = 100;
/** Frequencies to try per frequency that the width can resolve. */
const FINENESS = 6;

/** Returns the even spacing of a picture's columns, to a fraction of a pixel. Undefined if none stands out. */
export function findFinePitch(
  contrast: Float32Array,
  width: number,
  height: number,
  { least, most }: { least: number; most: number },
): Lattice | undefined {
  const sums = new Float64Array(width);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) sums[x] = (sums[x] as number) + Math.min(MAX_CONTRAST, contrast[at] as number);
  const waves = sums.map((sum, x) => {
    const from = Math.max(0, x - WINDOW);
    const near = sums.subarray(from, Math.min(width, x + WINDOW + 1));
    const mean = near.reduce((all, one) => all + one, 0) / near.length;
    // The square root keeps tall columns from dominating.
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
  if (best.power < MIN_PEAK * usual) return undefined;
  const pitch = 1 / best.frequency;
  const start = (best.phase / (2 * Math.PI)) * pitch;
  return { start: start < 0 ? start + pitch : start, pitch };
}
