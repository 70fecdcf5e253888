import { expect, test } from 'vitest';
import { comparisonRows, type Pair } from '#tests/bench/first-screen/compare.ts';

const visit = (visible: number, takenOver: number) => ({ visible, takenOver });

test('a comparison shows the medians of both builds, and the median of the ratios of rounds', () => {
  const visits = [
    [visit(200, 600), visit(400, 500)],
    [visit(300, 900), visit(300, 1_000)],
    [visit(900, 800), visit(1_000, 400)],
  ];
  const pair: Pair = { phase: 'offline-4x', target: 'crypto', visits };
  const [, row] = comparisonRows([pair]);
  expect(row).toEqual(['offline-4x', 'crypto', '300', '400', '0.90', '800', '500', '1.20', '3']);
});
