import { describe, expect, it } from 'vitest';
import { bridge, mixSeed } from '#server/ports/market-data/bridge.ts';

const seeds = Array.from({ length: 400 }, (_, index) => mixSeed(7, index));

describe('bridge', () => {
  it('starts and ends at 0', () => {
    for (const seed of seeds) {
      expect(bridge(seed, 0)).toBe(0);
      expect(bridge(seed, 1)).toBe(0);
    }
  });

  it('depends only on the seed', () => {
    expect(bridge(5, 0.3)).toBe(bridge(5, 0.3));
    expect(new Set(seeds.map((seed) => bridge(seed, 0.3))).size).toBe(seeds.length);
  });

  it('spreads like a random walk that has to return', () => {
    for (const at of [0.1, 0.25, 0.5, 0.9]) {
      const values = seeds.map((seed) => bridge(seed, at));
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
      expect(Math.abs(mean)).toBeLessThan(0.1);
      expect(deviation).toBeCloseTo(Math.sqrt(at * (1 - at)), 1);
    }
  });

  it('never leaves its bounds and never jumps', () => {
    for (const seed of seeds.slice(0, 20)) {
      let before = 0;
      for (let step = 1; step <= 2000; step++) {
        const value = bridge(seed, step / 2000);
        expect(Math.abs(value)).toBeLessThan(3);
        expect(Math.abs(value - before)).toBeLessThan(0.2);
        before = value;
      }
    }
  });
});
