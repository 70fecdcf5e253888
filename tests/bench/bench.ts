import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { findChromium } from '#tests/support/browser/chromium.mjs';
import { measureFirstScreens } from './first-screen/first-screen.ts';
import { barRows, medianRows, shiftLines } from './first-screen/report.ts';
import { measureLighthouse } from './lighthouse/lighthouse.ts';
import { lighthouseRows } from './lighthouse/read-report.ts';
import type { BenchOptions } from './options.ts';
import { markdownTable, plainTable, withSection } from './table.ts';
import { tapRows } from './taps/tap-report.ts';
import { measureTaps } from './taps/taps.ts';
import { openWorkspace } from './workspace.ts';

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

function print(say: Say, title: string, rows: string[][]) {
  say(`\n${title}`);
  for (const line of plainTable(rows)) say(line);
}

function writeSection(here: string, name: string, lines: readonly string[]) {
  const file = join(here, DOCUMENT);
  writeFileSync(file, withSection(readFileSync(file, 'utf8'), name, lines));
}

/** Measures first screens and Lighthouse scores, prints them beside their bars, and writes them down if asked to. */
export async function bench(options: BenchOptions, { here, say, onStep }: { here: string; say: Say; onStep: Say }): Promise<void> {
  const { phases, rounds, checkout, taps, lighthouse, write } = options;
  if (!existsSync(join(checkout, 'dist/server/main.js'))) throw new Error(`${checkout} is not built: run npm run build there.`);
  const workspace = openWorkspace();
  try {
    if (phases.length > 0) {
      const before = circumstances(options);
      const samples = await measureFirstScreens({ workspace, rounds, phases, checkout, onVisit: onStep });
      const tables = [barRows(samples), medianRows(samples)] as const;
      say(before);
      print(say, 'Bars', tables[0]);
      print(say, 'Medians', tables[1]);
      for (const line of shiftLines(samples)) say(line);
      const lines = [`${before} Medians of ${rounds} rounds.`, '', ...markdownTable(tables[0]), '', ...markdownTable(tables[1])];
      if (write) writeSection(here, 'first-screen', ['', ...lines, '']);
    }
    if (taps) {
      const before = circumstances(options);
      const rows = tapRows(await measureTaps({ workspace, rounds, checkout, onStep }));
      print(say, `Inputs, processor ÷ 4. ${before}`, rows);
      if (write) writeSection(here, 'taps', ['', `${before} Medians of ${rounds} rounds.`, '', ...markdownTable(rows), '']);
    }
    if (lighthouse) {
      const before = circumstances(options);
      const rows = lighthouseRows(await measureLighthouse({ workspace, checkout, onPage: onStep }));
      print(say, `Lighthouse, mobile. ${before}`, rows);
      if (write) writeSection(here, 'lighthouse', ['', before, '', ...markdownTable(rows), '']);
    }
  } finally {
    workspace.remove();
  }
}
