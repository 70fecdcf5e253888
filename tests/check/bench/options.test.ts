import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { PHASES } from '#tests/bench/first-screen/bars.ts';
import { parseOptions } from '#tests/bench/options.ts';

const parse = (...args: string[]) => parseOptions(args, '/here', '/from');

/** What is measured beside the first screens' phases, in its order. */
const partsOf = (...args: string[]) => [...parse(...args).parts].filter((part) => !PHASES.some((phase) => phase === part));

test('without options everything is measured on this checkout', () => {
  const { parts, ...options } = parse();
  expect(options).toEqual({
    rounds: 5,
    phases: PHASES,
    checkout: '/here',
    comparison: undefined,
    write: false,
    limits: { firstScreens: Number.POSITIVE_INFINITY, taps: Number.POSITIVE_INFINITY },
  });
  const loads = ['frames', 'loads', 'bots', 'sockets', 'pushes', 'processes', 'earlier', 'plans', 'analyst'];
  expect([...parts]).toEqual([...PHASES, 'taps', 'lighthouse', ...loads]);
});

test('--only chooses parts', () => {
  expect([...parse('--only', 'offline-4x', '--only', 'cold').parts]).toEqual(['cold', 'offline-4x']);
  expect(parse('--only', 'offline-4x', '--only', 'cold').phases).toEqual(['cold', 'offline-4x']);
  expect(partsOf('--only', 'loads')).toEqual(['loads']);
});

test('another checkout is measured without the loads, which run on this one', () => {
  expect(parse('--app', '../main', '--rounds', '2')).toMatchObject({ rounds: 2, checkout: resolve('/main') });
  expect(partsOf('--app', '../main')).toEqual(['taps', 'lighthouse']);
  expect(partsOf('--app', '../main', '--only', 'loads')).toEqual([]);
});

test('two checkouts are compared, and nothing else is measured', () => {
  const compared = parse('--against', '../main', '--rounds', '7');
  expect(compared).toMatchObject({ rounds: 7, parts: new Set(), phases: [], checkout: '/here' });
  expect(compared.comparison).toEqual({ builds: ['/here', resolve('/main')], phases: ['offline-4x'] });
  expect(parse('--app', '../new', '--against', '../old', '--only', 'cold').comparison).toEqual({
    builds: [resolve('/new'), resolve('/old')],
    phases: ['cold'],
  });
  expect(() => parse('--against', '../main', '--only', 'taps')).toThrow('--against compares offline-4x and cold, not taps.');
  expect(() => parse('--against', '../main', '--write')).toThrow('--write has no table for --against.');
});

test('wrong options are refused with the right ones', () => {
  expect(() => parse('--only', 'warm')).toThrow('Unknown part: warm. Parts: cold, first-visit');
  expect(() => parse('--rounds', '0')).toThrow('--rounds needs a whole number above 0, not "0".');
  expect(() => parse('--rounds', 'two')).toThrow('not "two"');
  expect(() => parse('--fast')).toThrow("'--fast'");
});

test('a table is written from a whole run only', () => {
  expect(() => parse('--only', 'cold', '--write')).toThrow('--write needs all phases');
  expect(parse('--only', 'lighthouse', '--write')).toMatchObject({ phases: [], write: true });
  expect([...parse('--write').parts]).toEqual([...PHASES, 'taps', 'lighthouse']);
  expect(parse('--write').limits.firstScreens).toBeLessThan(10 * 60_000);
});
