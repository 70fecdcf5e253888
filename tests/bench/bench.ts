import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { findChromium } from '#tests/support/browser/chromium.mjs';
import { compareBuilds, comparisonRows } from './first-screen/compare.ts';
import { measureFirstScreens } from './first-screen/first-screen.ts';
import { barRows, medianRows, shiftLines } from './first-screen/report.ts';
import { measureLighthouse } from './lighthouse/lighthouse.ts';
import { lighthouseRows } from './lighthouse/read-report.ts';
import type { BenchOptions } from './options.ts';
import { markdownTable, plainTable, withSection } from './table.ts';
import { tapRows } from './taps/tap-report.ts';
import { measureTaps } from './taps/taps.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

const DOCUMENT = 'docs/benchmarks.md';

type Say = (line: string) => void;

/** Returns date, commit and machine, because a figure means nothing without them. */
function circumstances({ checkout }: BenchOptions): string {
  const program = findChromium();
  const browser = program ? execFileSync(program, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }) : '';
  const version = /[\d.]+/.exec(browser)?.[0] ?? '?';
  const [processor] = cpus();
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${cpus().length} × ${processor?.model.trim()}, load ${loadavg()[0]?.toFixed(1)}`;
  return `${date}, commit ${commitOf(checkout)}, ${machine}, Node ${process.versions.node}, Chromium ${version}.`;
}

function commitOf(checkout: string): string {
  const git = (...args: string[]) => execFileSync('git', ['-C', checkout, ...args], { encoding: 'utf8', stdio: 'pipe' }).trim();
  try {
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', '--untracked-files=no') ? ' with changes' : '');
  } catch {
    return '?';
  }
}

function writeSection(here: string, name: string, lines: readonly string[]) {
  const file = join(here, DOCUMENT);
  writeFileSync(file, withSection(readFileSync(file, 'utf8'), name, lines));
}

/** What a part has measured. */
interface Measured {
  tables: { name: string; rows: string[][] }[];
  rounds: number;
  /** What to print besides the tables. */
  notes?: readonly string[];
  failures?: readonly string[];
}

interface Part {
  /** The section of the document. */
  name: string;
  isWanted: boolean;
  measure: (workspace: Workspace, onStep: Say) => Promise<Measured>;
}

const comparisonPart = (comparison: NonNullable<BenchOptions['comparison']>, rounds: number): Part => ({
  name: 'comparison',
  isWanted: true,
  async measure(workspace, onVisit) {
    const { pairs, ...measured } = await compareBuilds({ workspace, rounds, onVisit, ...comparison });
    return { ...measured, tables: [{ name: 'Compared with the other build', rows: comparisonRows(pairs) }] };
  },
});

const partsOf = ({ parts, phases, rounds, checkout, comparison, limits }: BenchOptions): Part[] => [
  ...(comparison ? [comparisonPart(comparison, rounds)] : []),
  {
    name: 'first-screen',
    isWanted: phases.length > 0,
    async measure(workspace, onVisit) {
      const options = { workspace, rounds, limit: limits.firstScreens, phases, checkout, onVisit };
      const { samples, ...measured } = await measureFirstScreens(options);
      const tables = [
        { name: 'Bars', rows: barRows(samples) },
        { name: 'Medians', rows: medianRows(samples) },
      ];
      return { ...measured, tables, notes: shiftLines(samples) };
    },
  },
  {
    name: 'taps',
    isWanted: parts.has('taps'),
    async measure(workspace, onStep) {
      const { samples, ...measured } = await measureTaps({ workspace, rounds, limit: limits.taps, checkout, onStep });
      return { ...measured, tables: [{ name: 'Inputs, processor ÷ 4', rows: tapRows(samples) }] };
    },
  },
  {
    name: 'lighthouse',
    isWanted: parts.has('lighthouse'),
    async measure(workspace, onPage) {
      const { reports, failures } = await measureLighthouse({ workspace, checkout, onPage });
      return { rounds: 1, failures, tables: [{ name: 'Lighthouse, mobile', rows: lighthouseRows(reports) }] };
    },
  },
];

interface Output {
  /** Folder of this checkout. */
  here: string;
  say: Say;
  onStep: Say;
}

/**
 * Measures the parts, prints their tables beside their bars, and writes each one down if asked to, as soon as it is
 * measured. A failed part stops no other. Returns what failed.
 */
export async function bench(options: BenchOptions, { here, say, onStep }: Output): Promise<string[]> {
  const { checkout, comparison, write } = options;
  for (const build of comparison?.builds ?? [checkout])
    if (!existsSync(join(build, 'dist/server/main.js'))) throw new Error(`${build} is not built: run npm run build there.`);
  const failures: string[] = [];
  for (const { name, measure } of partsOf(options).filter(({ isWanted }) => isWanted)) {
    const workspace = openWorkspace();
    try {
      const before = circumstances(options);
      const measured = await measure(workspace, onStep);
      const title = `${before} Medians of ${measured.rounds} round${measured.rounds === 1 ? '' : 's'}.`;
      say(title);
      for (const { name: table, rows } of measured.tables) for (const line of ['', table, ...plainTable(rows)]) say(line);
      for (const line of measured.notes ?? []) say(line);
      failures.push(...(measured.failures ?? []));
      const tables = measured.tables.flatMap(({ rows }) => ['', ...markdownTable(rows)]);
      if (write) writeSection(here, name, ['', title, ...tables, '']);
    } catch (error) {
      failures.push(`${name}: ${error instanceof Error ? error.stack : error}`);
    } finally {
      workspace.remove();
    }
  }
  return failures;
}
