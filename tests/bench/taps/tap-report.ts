import { median } from '../median.ts';
import type { TapSample } from './slow-tab.ts';
import { REFERENCE } from './taps.ts';

/** Bars at 4 times slowdown, ms. */
const MOST = { interaction: 150, next: 250 };
type Figure = keyof typeof MOST;

const figureOf = (samples: readonly TapSample[], step: string, figure: Figure): number =>
  median(samples.filter((sample) => sample.step === step && !Number.isNaN(sample[figure])).map((sample) => sample[figure]));

/** Returns the rows of a table of all steps, and the head row. */
export function tapRows(samples: readonly TapSample[]): string[][] {
  const steps = [...new Set(samples.map(({ step }) => step))];
  const cells = (step: string, figure: Figure): string[] => {
    const value = figureOf(samples, step, figure);
    if (Number.isNaN(value)) return ['', '', ''];
    const ratio = value / figureOf(samples, REFERENCE, figure);
    return [value.toFixed(0), ratio.toFixed(2), value > MOST[figure] ? 'MISSED' : 'ok'];
  };
  return [
    ['Input', 'Interaction, ms', '× reference', `≤ ${MOST.interaction}`, 'Next screen, ms', '× reference', `≤ ${MOST.next}`],
    ...steps.map((step) => [step, ...cells(step, 'interaction'), ...cells(step, 'next')]),
  ];
}
