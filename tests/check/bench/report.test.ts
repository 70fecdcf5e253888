import { expect, test } from 'vitest';
import type { Figures, Phase, Sample, Target } from '#tests/bench/first-screen/bars.ts';
import { barRows, medianRows, results, shiftLines } from '#tests/bench/first-screen/report.ts';

const samples = (target: Target, phase: Phase, ...figures: Partial<Figures>[]): Sample[] =>
  figures.map((each) => ({ target, phase, figures: each, moved: each.shift ? ['li.row'] : [] }));

test('a bar compares the median of the app with the median of the reference page', () => {
  const measured = [
    ...samples('static', 'cold', { visible: 100 }, { visible: 110 }, { visible: 900 }),
    ...samples('crypto', 'cold', { visible: 330 }, { visible: 5_000 }, { visible: 300 }),
  ];
  expect(results(measured)).toEqual([
    { what: '/crypto cold, signed in, first row', against: 'static', figure: 3, most: 2.8, isMissed: true },
  ]);
});

test('what was not measured has no row', () => {
  expect(results([])).toEqual([]);
  expect(results(samples('crypto', 'cold', { scriptKb: 90 })).map(({ what }) => what)).toEqual([
    'JavaScript before the first row of /crypto, kB brotli',
  ]);
});

test('a figure equal to its bar is within it', () => {
  expect(results(samples('crypto', 'heap', { heapMb: 4 }))[0]).toMatchObject({ figure: 4, isMissed: false });
});

test("React's time is compared with the first row of the static page, which has no React", () => {
  const measured = [
    ...samples('static', 'offline-4x', { visible: 200, takenOver: Number.NaN }),
    ...samples('crypto', 'offline-4x', { takenOver: 700 }),
  ];
  expect(results(measured)).toEqual([{ what: 'React has taken over /crypto', against: 'static', figure: 3.5, most: 3, isMissed: true }]);
});

test("React's time is compared with that of the page of the same stack that starts with a stored screen", () => {
  const measured = [
    ...samples('react-stored', 'offline-4x', { visible: 300, takenOver: 1_000 }),
    ...samples('crypto', 'offline-4x', { takenOver: 1_600 }),
  ];
  expect(results(measured)).toEqual([{ what: 'The same', against: 'react-stored', figure: 1.6, most: 1.5, isMissed: true }]);
});

test('one visit with a layout shift misses the bar, and the reference pages do not count', () => {
  const measured = [
    ...samples('chat', 'offline-4x', { shift: 0 }, { shift: 0.002 }, { shift: 0 }),
    ...samples('react-dexie', 'cold', { shift: 0.5 }),
  ];
  expect(shiftLines(measured)).toEqual(['offline-4x chat: li.row moved in 1 visit']);
  expect(results(measured)).toMatchObject([{ what: 'Layout shift, worst visit', figure: 0.002, isMissed: true }]);
});

test('a missed figure is never printed as the bar itself', () => {
  const [, row] = barRows(samples('crypto', 'heap', { heapMb: 4.003 }));
  expect(row).toEqual(['Heap after the first screen of /crypto, MB', '', '4.003', '4', 'MISSED']);
  const [, ratio] = barRows([...samples('static', 'cold', { visible: 1_000 }), ...samples('crypto', 'cold', { visible: 2_801 })]);
  expect(ratio).toEqual(['/crypto cold, signed in, first row', 'static', '2.801', '2.8', 'MISSED']);
});

test('each measured page has a row with its ratio to the static page of its phase', () => {
  const measured = [
    ...samples('static', 'cold', { visible: 200, firstPaint: 200, takenOver: Number.NaN, scriptKb: 0, shift: 0 }),
    ...samples('crypto', 'cold', { visible: 500, firstPaint: 300, takenOver: 510, scriptKb: 99.94, shift: 0 }),
  ];
  expect(medianRows(measured).slice(1)).toEqual([
    ['cold', 'static', '200', '1.00', '200', '', '0.0', '0.000', '', '', '1'],
    ['cold', 'crypto', '500', '2.50', '300', '510', '99.9', '0.000', '', '', '1'],
  ]);
});
