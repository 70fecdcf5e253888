import { expect, test } from 'vitest';
import type { TapSample } from '#tests/bench/taps/slow-tab.ts';
import { tapRows } from '#tests/bench/taps/tap-report.ts';
import { REFERENCE } from '#tests/bench/taps/taps.ts';

const sample = (step: string, interaction: number, next = Number.NaN): TapSample => ({ step, interaction, next });

test('each input is compared with the reference of the same run, and with its bars', () => {
  const samples = [
    ...[40, 50, 900].map((ms) => sample(REFERENCE, ms, ms)),
    ...[100, 150, 160].map((ms) => sample('Open a coin', ms, ms + 101)),
    sample('Type a search', 151),
  ];
  expect(tapRows(samples).slice(1)).toEqual([
    [REFERENCE, '50', '1.00', 'ok', '50', '1.00', 'ok'],
    ['Open a coin', '150', '3.00', 'ok', '251', '5.02', 'MISSED'],
    ['Type a search', '151', '3.02', 'MISSED', '', '', ''],
  ]);
});
