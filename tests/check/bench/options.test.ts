import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { PHASES } from '#tests/bench/first-screen/bars.ts';
import { parseOptions } from '#tests/bench/options.ts';

const parse = (...args: string[]) => parseOptions(args, '/here', '/from');

test('without options everything is measured on this checkout', () => {
  expect(parse()).toEqual({
    rounds: 5,
    phases: PHASES,
    taps: true,
    lighthouse: true,
    frames: true,
    loads: true,
    liveBots: true,
    sockets: true,
    pushes: true,
    processes: true,
    earlier: true,
    plans: true,
    analyst: true,
    checkout: '/here',
    comparison: undefined,
    write: false,
    limits: { firstScreens: Number.POSITIVE_INFINITY, taps: Number.POSITIVE_INFINITY },
  });
});

test('--only chooses parts', () => {
  expect(parse('--only', 'offline-4x', '--only', 'cold')).toMatchObject({
    phases: ['cold', 'offline-4x'],
    taps: false,
    lighthouse: false,
    loads: false,
    liveBots: false,
    sockets: false,
    pushes: false,
    processes: false,
    earlier: false,
  });
  expect(parse('--only', 'loads')).toMatchObject({ phases: [], taps: false, lighthouse: false, frames: false, loads: true });
});

test('another checkout is measured without the loads, which run on this one', () => {
  expect(parse('--app', '../main', '--rounds', '2')).toMatchObject({ rounds: 2, checkout: resolve('/main'), loads: false });
});

test('two checkouts are compared, and nothing else is measured', () => {
  const compared = parse('--against', '../main', '--rounds', '7');
  expect(compared).toMatchObject({ rounds: 7, phases: [], taps: false, loads: false, checkout: '/here' });
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
  expect(parse('--write')).toMatchObject({ phases: PHASES, taps: true, lighthouse: true, frames: false, loads: false, liveBots: false });
  expect(parse('--write').limits.firstScreens).toBeLessThan(10 * 60_000);
});
