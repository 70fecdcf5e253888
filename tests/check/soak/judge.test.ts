import { expect, test } from 'vitest';
import { createRandom } from '#domain/random.ts';
import { judge } from '#tests/soak/judge.ts';
import type { Sample } from '#tests/soak/samples.ts';

const MINUTE = 60_000;
const MB = 1_000_000;
const STEADY = { outside: 100 * MB, rss: 250 * MB, threads: 0, p99: 1, worst: 5 };

/** An hour of samples, which grow by this much an hour after the first ten minutes. */
const hourOf = (hourly: Partial<Record<'heap' | 'outside' | 'descriptors', number>>): Sample[] =>
  Array.from({ length: 121 }, (_, index) => {
    const at = (index * MINUTE) / 2;
    const grown = (what: keyof typeof hourly, start: number) =>
      start + (at < 10 * MINUTE ? index * 10 : 0) + ((hourly[what] ?? 0) * at) / (60 * MINUTE) + (index % 2);
    return { ...STEADY, at, heap: grown('heap', 100 * MB), outside: grown('outside', 100 * MB), descriptors: grown('descriptors', 40) };
  });

const over = (samples: Sample[]) =>
  judge(samples)
    .filter(({ isOver }) => isOver)
    .map(({ what }) => what);

test('a run that only grows while it warms up passes', () => expect(over(hourOf({}))).toEqual([]));

test.each(['heap', 'outside', 'descriptors'] as const)('a leak of %s fails', (what) => {
  expect(over(hourOf({ [what]: what === 'descriptors' ? 60 : 8 * MB }))).toEqual([what]);
});

/** An hour whose memory scatters by up to this much, as a process does between two collections. */
function noisyHour(hourly: number, noise: number, seed: number): Sample[] {
  const random = createRandom(seed);
  const scattered = (bytes: number) => bytes + (random() - 0.5) * 2 * noise;
  return hourOf({ heap: hourly, outside: hourly }).map((sample) => ({
    ...sample,
    heap: scattered(sample.heap),
    outside: scattered(sample.outside),
  }));
}

/** A minute of 20 samples whose heap and descriptors grow by this much, evenly. */
const minuteOf = (grown: { heap?: number; descriptors?: number }): Sample[] =>
  Array.from({ length: 20 }, (_, index) => {
    const grownTo = (what: keyof typeof grown) => ((grown[what] ?? 0) * index) / 19;
    return {
      ...STEADY,
      at: index * 3_000,
      heap: 100 * MB + grownTo('heap'),
      descriptors: 40 + grownTo('descriptors'),
    };
  });

const SEEDS = Array.from({ length: 100 }, (_, seed) => seed + 1);

test('memory that scatters by 30 MB and does not grow passes', () =>
  expect(SEEDS.flatMap((seed) => over(noisyHour(0, 30 * MB, seed)))).toEqual([]));

test('a leak shows through memory that scatters by 10 MB', () => {
  for (const seed of SEEDS) expect(over(noisyHour(20 * MB, 10 * MB, seed)), `seed ${seed}`).toEqual(['heap', 'outside']);
});

test('one high sample is no leak', () => {
  const samples = hourOf({});
  const highest = { ...(samples.at(-1) as Sample), heap: 160 * MB, outside: 160 * MB };
  expect(over(samples.with(-1, highest))).toEqual([]);
});

test('a run of a minute may still warm up, and fails when it grows by more than that', () => {
  expect(over(minuteOf({ heap: 4 * MB, descriptors: 40 }))).toEqual([]);
  expect(over(minuteOf({ heap: 8 * MB }))).toEqual(['heap']);
  expect(over(minuteOf({ descriptors: 80 }))).toEqual(['descriptors']);
});

test('a run of half an hour after the warm-up is judged by the hour', () => {
  const samples = hourOf({ heap: 8 * MB });
  expect(over(samples.slice(0, 81))).toEqual(['heap']);
  expect(over(samples.slice(0, 41))).toEqual([]);
});

test('a run without samples is no pass', () => expect(() => judge([])).toThrow('at least 3 samples'));
