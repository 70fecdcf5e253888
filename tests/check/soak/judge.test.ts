import { expect, test } from 'vitest';
import { judge } from '#tests/soak/judge.ts';
import type { Sample } from '#tests/soak/samples.ts';

const MINUTE = 60_000;
const MB = 1_000_000;

/** An hour of samples, which grow by this much an hour after the first ten minutes. */
const hourOf = (hourly: Partial<Record<'heap' | 'rss' | 'descriptors', number>>): Sample[] =>
  Array.from({ length: 121 }, (_, index) => {
    const at = (index * MINUTE) / 2;
    const grown = (what: keyof typeof hourly, start: number) =>
      start + (at < 10 * MINUTE ? index * 10 : 0) + ((hourly[what] ?? 0) * at) / (60 * MINUTE) + (index % 2);
    return { at, heap: grown('heap', 100 * MB), rss: grown('rss', 200 * MB), descriptors: grown('descriptors', 40), p99: 1, worst: 5 };
  });

const over = (samples: Sample[]) =>
  judge(samples)
    .filter(({ isOver }) => isOver)
    .map(({ what }) => what);

test('a run that only grows while it warms up passes', () => expect(over(hourOf({}))).toEqual([]));

test.each(['heap', 'rss', 'descriptors'] as const)('a leak of %s fails', (what) => {
  expect(over(hourOf({ [what]: what === 'descriptors' ? 60 : 8 * MB }))).toEqual([what]);
});

test('a run without samples is no pass', () => expect(() => judge([])).toThrow('at least 3 samples'));
