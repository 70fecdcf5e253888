import { median } from '../median.ts';
import type { TapSample } from './slow-tab.ts';
import { REFERENCE } from './taps.ts';

/** Bars at 4 times slowdown, ms. */
const MAX_MS = { interaction: 150, next: 250 };
type Figure = keyof typeof MAX_MS;

const figureOf = (samples: readonly TapSample[], step: string, figure: Figure): number =>
  median(samples.filter((sample) => sample.step === step && !Number.isNaN(sample[figure])).map((sample) => sample[figure]));

/** Returns the rows of a table of all steps, and the head row. */
export function tapRows(samples: readonly TapSample[]): string[][] {
  const steps = [...new Set(samples.map(({ step }) => step))];
  const cells = (step: string, figure: Figure): string[] => {
    const value = figureOf(samples, step, figure);
    if (Number.isNaN(value)) return ['', '', ''];
    const ratio = value / figureOf(samples, REFERENCE, figure);
    return [value.toFixed(0), ratio.toFixed(2), value > MAX_MS[figure] ? 'MISSED' : 'ok'];
  };
  return [
    ['Input', 'Interaction, ms', '× reference', `≤ ${MAX_MS.interaction}`, 'Next screen, ms', '× reference', `≤ ${MAX_MS.next}`],
    ...steps.map((step) => [step, ...cells(step, 'interaction'), ...cells(step, 'next')]),
  ];
}
