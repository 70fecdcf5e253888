import { median } from '../median.ts';
import { PAGES } from '../pages/build-pages.ts';
import { BARS, type Bar, type Figures, MAX_SHIFT, PHASES, type Phase, type Sample, type Target } from './bars.ts';

const medianOf = (samples: readonly Sample[], target: Target, phase: Phase, figure: keyof Figures): number =>
  median(
    samples
      .filter((sample) => sample.target === target && sample.phase === phase)
      .map(({ figures }) => figures[figure] ?? Number.NaN)
      .filter((value) => !Number.isNaN(value)),
  );

/** One bar and the figure beside it. NaN when the phase was not measured. */
export interface Result {
  what: string;
  against: string;
  figure: number;
  most: number;
  isMissed: boolean;
}

function judge(samples: readonly Sample[], { what, phase, target, figure, against, most }: Bar): Result {
  const own = medianOf(samples, target, phase, figure);
  // The static page has no React: its first row is compared.
  const compared = against === 'static' && figure === 'takenOver' ? 'visible' : figure;
  const value = against ? own / medianOf(samples, against, phase, compared) : own;
  return { what, against: against ?? '', figure: value, most, isMissed: value > most };
}

const isOurs = ({ target }: Sample) => !PAGES.some((page) => page === target);

/** The worst shift of the app, in any visit: a median would hide a shift that is rare. */
function judgeShift(samples: readonly Sample[]): Result {
  const shifts = samples.filter(isOurs).flatMap(({ figures }) => figures.shift ?? []);
  const figure = shifts.length > 0 ? Math.max(...shifts) : Number.NaN;
  return { what: 'Layout shift, worst visit', against: '', figure, most: MAX_SHIFT, isMissed: figure > MAX_SHIFT };
}

/** Returns a line for each screen of the app that moved: the elements, and how often. */
export function shiftLines(samples: readonly Sample[]): string[] {
  const visits = new Map<string, number>();
  for (const { target, phase, moved } of samples.filter(isOurs))
    for (const element of moved) {
      const line = `${phase} ${target}: ${element}`;
      visits.set(line, (visits.get(line) ?? 0) + 1);
    }
  return [...visits].map(([line, count]) => `${line} moved in ${count} visit${count === 1 ? '' : 's'}`);
}

/** Compares the measured phases with the bars. */
export const results = (samples: readonly Sample[]): Result[] =>
  [...BARS.map((bar) => judge(samples, bar)), judgeShift(samples)].filter(({ figure }) => !Number.isNaN(figure));

const round = (value: number, digits = 0) => (Number.isNaN(value) ? '' : value.toFixed(digits));

/** Returns the rows of a table of the bars, and the head row. */
export const barRows = (samples: readonly Sample[]): string[][] => [
  ['What', 'Against', 'Figure', 'Bar', ''],
  ...results(samples).map(({ what, against, figure, most, isMissed }) => [
    what,
    against,
    // Never rounded to the bar itself when it is missed.
    isMissed && figure.toFixed(2) === most.toFixed(2) ? figure.toPrecision(4) : figure.toFixed(2),
    String(most),
    isMissed ? 'MISSED' : 'ok',
  ]),
];

/** Returns the rows of a table of the medians, and the head row. */
export function medianRows(samples: readonly Sample[]): string[][] {
  const rows = PHASES.flatMap((phase) => {
    const targets = [...new Set(samples.filter((sample) => sample.phase === phase).map(({ target }) => target))];
    return targets.map((target) => {
      const of = (figure: keyof Figures) => medianOf(samples, target, phase, figure);
      const ratio = of('visible') / medianOf(samples, 'static', phase, 'visible');
      return [
        phase,
        target,
        round(of('visible')),
        round(ratio, 2),
        round(of('firstPaint')),
        round(of('takenOver')),
        round(of('scriptKb'), 1),
        round(of('shift'), 3),
        round(of('heapMb'), 1),
        round(of('settledHeapMb'), 1),
        String(samples.filter((sample) => sample.phase === phase && sample.target === target).length),
      ];
    });
  });
  const heads = [
    'Phase',
    'Page',
    'Visible, ms',
    '× static',
    'First paint',
    'React',
    'Scripts, kB',
    'Shift',
    'Heap, MB',
    'Settled',
    'Visits',
  ];
  return [heads, ...rows];
}
