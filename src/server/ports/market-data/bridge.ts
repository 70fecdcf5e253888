/** Depth of the tents, down to 1/65,536 of the span: 9 s of a week. */
const LEVELS = 16;
/** Uniform on ±√3 has a variance of 1 and, unlike a normal variate, is bounded. */
const SPREAD = Math.sqrt(3);

/**
 * Returns a Brownian bridge from 0 to 0 at any point without walking there, by Lévy's construction: a sum of tents that
 * halve in width per level, with random heights. Its standard deviation is √(at · (1 − at)), and it stays within ±3.
 * @param at position in the span, 0 to 1
 */
export function bridge(seed: number, at: number): number {
  let value = 0;
  for (let level = 0; level < LEVELS; level++) {
    const tents = 2 ** level;
    const index = Math.min(Math.floor(at * tents), tents - 1);
    const within = at * tents - index;
    const height = SPREAD * variate(mixSeed(mixSeed(seed, level), index)) * 0.5 * 2 ** (-level / 2);
    value += height * (1 - Math.abs(2 * within - 1));
  }
  return value;
}

/** Mixes two integers into 32 bits (the finalizer of MurmurHash3). */
export function mixSeed(seed: number, salt: number): number {
  let hash = seed ^ Math.imul(salt + 1, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Returns a uniform value from −1 to 1. */
export const variate = (bits: number): number => bits / 2 ** 31 - 1;
