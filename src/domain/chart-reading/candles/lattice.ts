/** Even spacing of candles: number k has its middle at column `start + k * pitch`. */
export interface Lattice {
  start: number;
  pitch: number;
}

/** Enough samples to decide; a page of text has thousands. */
const MAX_SAMPLED = 160;

/** Returns the widest even spacing that the middles agree on. Undefined with too few, or if the picture was turned or photographed. */
export function findLattice(middles: readonly number[], { least, most }: { least: number; most: number }): Lattice | undefined {
  if (middles.length < 5) return undefined;
  const sorted = [...middles].sort((a, b) => a - b);
  const sample = sorted.filter((_, index) => index % Math.ceil(sorted.length / MAX_SAMPLED) === 0);
  const span = (sorted.at(-1) as number) - (sorted[0] as number);
  if (span < 4 * least) return undefined;

  let best = 0;
  const tried: { pitch: number; score: number }[] = [];
  for (let pitch = Math.min(most, span / 2); pitch >= least; pitch -= Math.min(0.25, (pitch * pitch) / (5 * span))) {
    const score = agreement(sample, pitch).length;
    tried.push({ pitch, score });
    best = Math.max(best, score);
  }
  if (best < 0.55) return undefined;
  // Integer fractions of the true spacing agree nearly as well, so take the widest, then climb to the local maximum.
  let at = tried.findIndex(({ score }) => score > Math.max(0.55, 0.86 * best));
  while (at + 1 < tried.length && (tried[at + 1]?.score as number) > (tried[at]?.score as number)) at++;
  return refine(sorted, tried[at]?.pitch as number);
}

/** Returns how well the middles agree on a spacing, 0 to 1, and their phase. */
function agreement(middles: readonly number[], pitch: number): { length: number; phase: number } {
  let cosine = 0;
  let sine = 0;
  for (const x of middles) {
    const turn = (2 * Math.PI * x) / pitch;
    cosine += Math.cos(turn);
    sine += Math.sin(turn);
  }
  return { length: Math.hypot(cosine, sine) / middles.length, phase: (Math.atan2(sine, cosine) / (2 * Math.PI)) * pitch };
}

/** Least squares through the middles near a lattice place. */
function refine(middles: readonly number[], guess: number): Lattice | undefined {
  let pitch = guess;
  let start = agreement(middles, pitch).phase;
  for (let round = 0; round < 3; round++) {
    let n = 0;
    let sumK = 0;
    let sumX = 0;
    let sumKK = 0;
    let sumKX = 0;
    for (const x of middles) {
      const k = Math.round((x - start) / pitch);
      if (Math.abs(x - start - k * pitch) > Math.max(0.75, 0.25 * pitch)) continue;
      n++;
      sumK += k;
      sumX += x;
      sumKK += k * k;
      sumKX += k * x;
    }
    const spread = n * sumKK - sumK * sumK;
    if (n < 5 || spread === 0) return undefined;
    pitch = (n * sumKX - sumK * sumX) / spread;
    start = (sumX - pitch * sumK) / n;
  }
  return { start, pitch };
}
