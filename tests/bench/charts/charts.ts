import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { ChartAxis, ChartReading } from '#contract/chat/chart-reading.ts';
import { isRead } from '#domain/chart-reading/is-read.ts';
import { readChartFile } from '#tools/commands/read-chart.ts';
import { readTruth, scoreLevels, type Truth, trueTrend } from './chart-truth.ts';

interface Entry {
  file: string;
  kind?: string;
  truth?: string | null;
  note?: string;
  expect?: string;
  degraded_from?: string;
}
type Index = Record<'rendered' | 'real' | 'negative' | 'malformed', Entry[]>;
export type Half = 'dev' | 'held' | 'all';

/** Half of the pictures, chosen by the hash of their names, are held out during development. */
const halfOf = (file: string): Half => ((createHash('sha256').update(basename(file)).digest()[0] as number) % 2 === 0 ? 'dev' : 'held');

const PIXELS = 2;
const LIMITS = { seconds: 2, megabytes: 300 };
const PICTURE = /\.(png|jpe?g|gif)$/i;

/** Reads every picture of a folder with an index.json and compares it with the truth. */
export async function benchCharts({ dir, half, script }: { dir: string; half: Half; script: string }): Promise<string[]> {
  const index = JSON.parse(readFileSync(join(dir, 'index.json'), 'utf8')) as Partial<Index>;
  const wanted = (entries: Entry[] = []) => entries.filter(({ file }) => PICTURE.test(file) && (half === 'all' || halfOf(file) === half));
  const lines: string[] = [];
  const say = (...cells: (string | number)[]) =>
    lines.push(
      cells
        .map((cell, at) => String(cell).padEnd(WIDTHS[at] ?? 0))
        .join(' ')
        .trimEnd(),
    );
  const totals = createTotals();

  say('picture', 'kind', 'expected', 'candles', 'trend', 'levels', 'ms');
  for (const group of ['rendered', 'real', 'negative'] as const) {
    for (const entry of wanted(index[group])) {
      const started = performance.now();
      const reading = await readFrom(join(dir, entry.file));
      const took = Math.round(performance.now() - started);
      const expected = expectedKinds(group, entry);
      const apart = isApart(dir, entry);
      const right = expected.includes(reading?.kind ?? 'refused');
      const declined = reading !== undefined && isDeclined(reading);
      totals.count('declined', Number(declined), 1);
      if (!declined) totals.count(apart ? 'apart' : 'kind', Number(right), 1);
      const compared = group === 'rendered' && !apart && reading && entry.truth ? compare(dir, entry.truth, reading, totals) : NOT_COMPARED;
      say(
        entry.file + (apart ? ' (apart)' : ''),
        declined ? 'declined' : `${right ? '' : 'WRONG '}${reading?.kind ?? 'refused'}`,
        expected.join('|'),
        ...compared,
        took,
      );
    }
  }
  lines.push('', ...totals.lines(), '');
  for (const entry of wanted(index.malformed)) lines.push(await tryMalformed(script, join(dir, entry.file), entry.expect ?? 'reject'));
  return lines;
}

const WIDTHS = [50, 14, 16, 14, 12, 22, 6];
const NOT_COMPARED = ['', '', ''] as const;

async function readFrom(file: string): Promise<ChartReading | undefined> {
  const { output, exitCode } = await readChartFile(file, { json: true });
  return exitCode === 0 ? (JSON.parse(output) as ChartReading) : undefined;
}

/** The analyst names nothing of a chart that is too unclear, and says so. */
const isDeclined = (reading: ChartReading) => ['candles', 'bars', 'line'].includes(reading.kind) && !isRead(reading);

function expectedKinds(group: string, { kind = '', note = '' }: Entry): string[] {
  if (group === 'negative') return /\b(lines?|plot|bars?|histogram|heatmap|pie)\b/i.test(note) ? ['line', 'other', 'none'] : ['none'];
  const found = ['candles', 'bars', 'line'].find((known) => kind.startsWith(known));
  return [found ?? (/^(ohlc|hlc)/.test(kind) ? 'bars' : /^area/.test(kind) ? 'line' : 'other')];
}

/** Rotated, cropped, doubled and photographed pictures are listed separately: their candles' positions are unknown. */
const isApart = (dir: string, { truth, degraded_from }: Entry) =>
  degraded_from !== undefined && typeof truth === 'string' && readTruth(dir, truth) === undefined;

function compare(dir: string, file: string, reading: ChartReading, totals: Totals): [string, string, string] {
  if (!existsSync(join(dir, file))) return ['', '', ''];
  const truth = readTruth(dir, file);
  if (!truth) return ['', '', ''];
  const trend = trueTrend(truth);
  totals.count('trend', Number(reading.trend === trend), 1);
  if (truth.style === 'area' || truth.style === 'line') return ['', `${reading.trend}/${trend}`, ''];
  const hits = truth.bars.filter(({ x, high, low }) =>
    reading.candles.some(
      (candle) => Math.abs(candle.x - x) <= PIXELS && Math.abs(candle.high - high) <= PIXELS && Math.abs(candle.low - low) <= PIXELS,
    ),
  ).length;
  totals.count('candles', hits, truth.bars.length);
  totals.count('axis', Number(reading.axis !== undefined), 1);
  if (reading.axis) totals.count('prices', Number(wrongBy(reading.axis, truth) < WRONG), 1);
  const rows = reading.levels.map(({ y }) => y);
  const { recalled, expected, precise, read } = scoreLevels(truth, rows);
  totals.count('recall', recalled, expected);
  totals.count('precision', precise, read);
  return [`${hits}/${truth.bars.length}`, `${reading.trend}/${trend}`, `${recalled}/${expected} ${precise}/${read}`];
}

/** Allowed error of a price, as a share of the visible range. */
const WRONG = 0.005;

/** Returns the largest error of the axis over the candles, as a share of the visible range. */
function wrongBy({ y, price, perPixel }: ChartAxis, { bars, priceAt, range }: Truth): number {
  const rows = bars.flatMap(({ high, low }) => [high, low]);
  return Math.max(...rows.map((row) => Math.abs(price + (row - y) * perPixel - priceAt(row)))) / range;
}

const BARS = {
  kind: { name: 'Kind right', least: 0.97 },
  candles: { name: 'True candles within 2 px', least: 0.9 },
  trend: { name: 'Trend right', least: 0.95 },
  recall: { name: 'Levels, recall', least: 0.88 },
  precision: { name: 'Levels, precision', least: 0.85 },
  axis: { name: 'Axis read', least: 0.6 },
  prices: { name: 'Prices within 0.5% of range', least: 1 },
  apart: { name: 'Apart: kind right', least: 0 },
  declined: { name: 'Declined', least: 0 },
};
type Bar = keyof typeof BARS;
type Totals = ReturnType<typeof createTotals>;

function createTotals() {
  const sums = new Map<Bar, { good: number; all: number }>();
  return {
    count(bar: Bar, good: number, all: number) {
      const sum = sums.get(bar) ?? { good: 0, all: 0 };
      sums.set(bar, { good: sum.good + good, all: sum.all + all });
    },
    lines: () =>
      (Object.keys(BARS) as Bar[]).map((bar) => {
        const { good, all } = sums.get(bar) ?? { good: 0, all: 0 };
        const { name, least } = BARS[bar];
        if (all === 0) return `${name.padEnd(28)} nothing to measure`;
        const share = good / all;
        const verdict = least === 0 ? '' : share >= least ? `met (${least * 100}%)` : `MISSED (${least * 100}%)`;
        return `${name.padEnd(28)} ${(100 * share).toFixed(1).padStart(5)}%  ${`${good}/${all}`.padEnd(12)} ${verdict}`;
      }),
  };
}

/** Runs the command in its own process and returns its time and peak memory. */
async function tryMalformed(script: string, file: string, expect: string): Promise<string> {
  const started = performance.now();
  const child = spawn(process.execPath, [script, 'read-chart', file, '--json'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  let megabytes = 0;
  const look = setInterval(() => {
    const status = child.pid && existsSync(`/proc/${child.pid}/status`) ? readFileSync(`/proc/${child.pid}/status`, 'utf8') : '';
    megabytes = Math.max(megabytes, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  }, 10);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearInterval(look);
  const seconds = (performance.now() - started) / 1000;
  const text = Buffer.concat(output).toString();
  const answer = isRefusal(text)
    ? code === 2
      ? 'refused'
      : 'refused with a wrong exit code'
    : code === 0
      ? 'accepted'
      : `failed with ${code}`;
  const allowed = / or /.test(expect) ? ['accepted', 'refused'] : /^accept/.test(expect) ? ['accepted'] : ['refused'];
  const good = allowed.includes(answer) && seconds < LIMITS.seconds && megabytes < LIMITS.megabytes;
  return `${basename(file).padEnd(44)} ${good ? 'ok    ' : 'FAILED'} ${answer} (${expect}), ${seconds.toFixed(2)} s, ${Math.round(megabytes)} MB`;
}

function isRefusal(text: string): boolean {
  try {
    return 'error' in (JSON.parse(text) as object);
  } catch {
    return false;
  }
}
