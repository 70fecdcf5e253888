import type { PageName } from '../pages/build-pages.ts';

/** Conditions of a visit. `cold` and `first-visit` use Slow 4G and a processor slowed down 4 times. */
export const PHASES = ['cold', 'first-visit', 'offline-4x', 'heap'] as const;
export type Phase = (typeof PHASES)[number];

/** Screens of the app that are measured. */
export type Screen = 'crypto' | 'home' | 'archive' | 'chat' | 'splash' | 'sign-up';
export type Target = Screen | PageName;

/** Times in ms, scripts in kB of brotli, heap in MB. A figure that does not exist for a target is NaN. */
export interface Figures {
  visible: number;
  firstPaint: number;
  takenOver: number;
  shift: number;
  scriptKb: number;
  /** When the first screen is there, and when the page has loaded what the next taps need. */
  heapMb: number;
  settledHeapMb: number;
}

/** What one visit measured. */
export interface Sample {
  target: Target;
  phase: Phase;
  figures: Partial<Figures>;
  /** Elements that a layout shift moved. */
  moved: readonly string[];
}

/** A limit of one figure: of its ratio to a reference page in the same phase, or of the figure itself. */
export interface Bar {
  what: string;
  phase: Phase;
  target: Target;
  figure: Exclude<keyof Figures, 'shift'>;
  against?: PageName;
  most: number;
}

const offline = (screen: Screen, name: string): Bar[] => {
  const bar = { phase: 'offline-4x', target: screen, against: 'static' } as const;
  return [
    { ...bar, what: `Offline cold start of ${name}, first row`, figure: 'visible', most: 1.5 },
    { ...bar, what: `React has taken over ${name}`, figure: 'takenOver', most: 3 },
    { ...bar, what: 'The same', figure: 'takenOver', against: 'react-stored', most: 1.5 },
  ];
};

export const BARS: readonly Bar[] = [
  ...offline('crypto', '/crypto'),
  ...offline('home', '/home'),
  ...offline('archive', '/archive'),
  ...offline('chat', 'the last chat'),
  { what: '/crypto cold, signed in, first row', phase: 'cold', target: 'crypto', figure: 'visible', against: 'static', most: 2.8 },
  { what: 'The same', phase: 'cold', target: 'crypto', figure: 'visible', against: 'react-dexie', most: 1.1 },
  {
    what: 'First visit of the splash, first paint',
    phase: 'first-visit',
    target: 'splash',
    figure: 'firstPaint',
    against: 'static',
    most: 1.2,
  },
  {
    what: 'First visit of /sign-up, first paint',
    phase: 'first-visit',
    target: 'sign-up',
    figure: 'firstPaint',
    against: 'static',
    most: 1.2,
  },
  { what: 'JavaScript before the first row of /crypto, kB brotli', phase: 'cold', target: 'crypto', figure: 'scriptKb', most: 100 },
  { what: 'Heap after the first screen of /crypto, MB', phase: 'heap', target: 'crypto', figure: 'heapMb', most: 4 },
];

/** Allowed layout shift of any visit of the app. */
export const MAX_SHIFT = 0;
