import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PHASES, type Phase } from './first-screen/bars.ts';
import { COMPARED, type ComparedPhase } from './first-screen/compare.ts';

/** Parts of this checkout alone, whatever `--app` says. `--write` leaves them out: docs/benchmarks.md quotes them in sentences. */
const OF_THIS_CHECKOUT = [
  /** Frames that the market list misses while it scrolls. */
  'frames',
  /** The server and long lists. */
  'loads',
  /** What live bots cost the exchange. */
  'bots',
  /** What price ticks for thousands of sockets cost a process. */
  'sockets',
  /** A push message to thousands of browsers, and what others wait meanwhile. */
  'pushes',
  /** Three web processes beside one. */
  'processes',
  /** One process beside that of an earlier build. */
  'earlier',
  /** The plan of every statement at 5 million messages. */
  'plans',
  /** What the analyst's rules cost, and how soon a device answers without a network. */
  'analyst',
] as const;
/** `taps`: the longest interaction with each input, and the time to the next screen. */
const PARTS = [...PHASES, 'taps', 'lighthouse', ...OF_THIS_CHECKOUT] as const;
export type Part = (typeof PARTS)[number];
const isOfThisCheckout = (part: Part) => OF_THIS_CHECKOUT.some((each) => each === part);

export const USAGE = `Usage: npm run bench -- [--rounds N] [--only PART]… [--app DIR] [--against DIR] [--write]
  --rounds N   visits of each page, 5 by default
  --only PART  ${PARTS.join(', ')}; repeat it for several parts
  --app DIR    a built checkout to measure, this one by default
  --against DIR  compares the first screens with those of another built checkout, visited in turn; with --only ${COMPARED.join(' or ')}
  --write      measures what docs/benchmarks.md has tables of, in less than 12 minutes, and writes the tables`;

export interface BenchOptions {
  rounds: number;
  /** What to measure, in the order of `PARTS`. */
  parts: ReadonlySet<Part>;
  /** The parts that visit first screens. */
  phases: readonly Phase[];
  /** Folder of the built checkout. */
  checkout: string;
  /** Two checkouts to compare instead of everything else, the one in question first. */
  comparison: { builds: [string, string]; phases: readonly ComparedPhase[] } | undefined;
  write: boolean;
  /** A further round starts if the part would end within this time, ms. */
  limits: { firstScreens: number; taps: number };
}

const MINUTE = 60_000;
const NO_LIMITS = { firstScreens: Number.POSITIVE_INFINITY, taps: Number.POSITIVE_INFINITY };
/** With three minutes of Lighthouse, and one for the build. */
const TABLE_LIMITS = { firstScreens: 6 * MINUTE, taps: 2 * MINUTE };

/** Returns what `--against` compares. Throws with a sentence for the user. */
function comparisonOf({ only, write }: { only: string[]; write: boolean }, builds: [string, string]): BenchOptions['comparison'] {
  if (write) throw new Error('--write has no table for --against.');
  const phases = COMPARED.filter((phase) => only.includes(phase));
  if (phases.length < only.length) throw new Error(`--against compares ${COMPARED.join(' and ')}, not ${only.join(', ')}.`);
  return { builds, phases: only.length > 0 ? phases : ['offline-4x'] };
}

/**
 * Reads the options of `npm run bench`.
 * @param here folder of this checkout
 * @param from folder that a relative path starts from
 * @throws with a sentence for the user
 */
export function parseOptions(args: string[], here: string, from: string): BenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '5' },
      only: { type: 'string', multiple: true, default: [] },
      app: { type: 'string' },
      against: { type: 'string' },
      write: { type: 'boolean', default: false },
    },
  });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`--rounds needs a whole number above 0, not "${values.rounds}".`);
  const unknown = values.only.filter((name) => !PARTS.some((part) => part === name));
  if (unknown.length > 0) throw new Error(`Unknown part: ${unknown.join(', ')}. Parts: ${PARTS.join(', ')}.`);
  const checkout = values.app === undefined ? here : resolve(from, values.app);
  const comparison = values.against === undefined ? undefined : comparisonOf(values, [checkout, resolve(from, values.against)]);
  const isAsked = (part: Part) => (values.only.length === 0 ? !values.write || !isOfThisCheckout(part) : values.only.includes(part));
  const parts = new Set(PARTS.filter((part) => !comparison && isAsked(part) && !(values.app !== undefined && isOfThisCheckout(part))));
  const phases = PHASES.filter((phase) => parts.has(phase));
  if (values.write && phases.length > 0 && phases.length < PHASES.length)
    throw new Error('--write needs all phases of the first screen: its table has one date.');
  return {
    rounds,
    parts,
    phases,
    checkout,
    comparison,
    write: values.write,
    limits: values.write ? TABLE_LIMITS : NO_LIMITS,
  };
}
