import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { INTERVAL_MS, INTERVALS, intervalName } from '#domain/bots/intervals.ts';
import { dayOf, MINUTE } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { bootstrapMean, RESAMPLES } from '#server/strategy/backtest/bootstrap.ts';
import { BadFile, countMissing } from '#server/strategy/backtest/candle-file.ts';
import { compareWithHolding } from '#server/strategy/backtest/compare.ts';
import { runControl } from '#server/strategy/backtest/control.ts';
import { drawEquity } from '#server/strategy/backtest/equity-svg.ts';
import { courseFigures } from '#server/strategy/backtest/figures.ts';
import { type GivenFunding, usualFunding } from '#server/strategy/backtest/funding.ts';
import { CONTROL_RUNS, returnsOf, SEED } from '#server/strategy/backtest/measure.ts';
import { quantile } from '#server/strategy/backtest/quantile.ts';
import { equityCsv, figuresTable, tradesCsv } from '#server/strategy/backtest/report.ts';
import { resample } from '#server/strategy/backtest/resample.ts';
import { type BacktestResult, runBacktest } from '#server/strategy/backtest/run-backtest.ts';
import { type Fold, walkForward } from '#server/strategy/backtest/walk-forward.ts';
import { PERPETUAL } from '#server/strategy/matching/perpetual.ts';
import { readCandleFile, readFundingFile } from './backtest-files.ts';

const USAGE = `Usage: npm run backtest -- --candles FILE [--funding FILE] [--leverage N] [--capital USD]
       [--loss-limit N] [--interval LENGTH] [--from DATE] [--to DATE] [--out DIR] [--walk-forward | --control [--seed N]] [--help]`;
const HELP = `${USAGE}

Trades past candles as a bot does, and compares the result with buy and hold.

  --candles FILE   CSV, plain or gzipped: timestamp (ms UTC), open, high, low, close, volume.
                   5 minutes to a day each, oldest first.
  --funding FILE   CSV of rates as fractions: timestamp (ms UTC), funding_rate.
                   Outside their time, it assumes 0.01% every 8 hours.
  --leverage N     Maximum leverage, 1 to 100. Default: 15
  --capital USD    Starting capital. Default: 1000
  --loss-limit N   Percent of its highest equity at which the bot stops. Default: it never stops
  --interval LENGTH  5m, 15m, 30m, 1h or 4h: joins the file's candles into longer ones.
  --from DATE      First day of trading; the strategy still sees earlier candles.
  --to DATE        End of trading. A date is a UTC day, 2024-01-31, or a time, 2024-01-31T12:00.
  --out DIR        Writes trades.csv, equity.csv and equity.svg there.
  --walk-forward   Fits on the first half and trades the next year, then fits on everything before the
                   year after, and so on. Reports only traded years. Takes a minute or more.
  --control        Repeats the backtest ${CONTROL_RUNS} times with random entries along the same trend and the
                   same exits, and counts the runs that earn more. Takes a minute or more.
  --seed N         Seed of the random entries and of the interval of the mean. Default: ${SEED}`;
const MAX_LEVERAGE = 100;

interface Answer {
  output: string;
  exitCode: 0 | 1;
}

/** An argument is wrong; the message is for the user. */
class BadArgument extends Error {}

/** Runs `npm run backtest`: the strategy over a file of candles. Relative paths start at `folder`. */
export async function command(args: string[], folder: string): Promise<Answer> {
  try {
    if (parse(args).help) return { output: HELP, exitCode: 0 };
    return { output: await run(readArguments(args, folder)), exitCode: 0 };
  } catch (error) {
    if (error instanceof BadArgument) return { output: `${error.message}\n${USAGE}`, exitCode: 1 };
    if (error instanceof BadFile) return { output: error.message, exitCode: 1 };
    throw error;
  }
}

interface Wanted {
  candles: string;
  funding: string | undefined;
  leverage: number;
  capital: number;
  /** ms UTC, without `to`. */
  from: number;
  to: number;
  out: string | undefined;
  walk: boolean;
  control: boolean;
  seed: number;
  /** Percent. */
  lossLimit: number | undefined;
  /** ms; undefined for the file's own. */
  wantedInterval: number | undefined;
}

function readArguments(args: string[], folder: string): Wanted {
  const values = parse(args);
  if (!values.candles) throw new BadArgument('--candles is missing.');
  const from = values.from === undefined ? Number.NEGATIVE_INFINITY : readDate('--from', values.from);
  const to = values.to === undefined ? Number.POSITIVE_INFINITY : readDate('--to', values.to);
  if (from >= to) throw new BadArgument('--from must be before --to.');
  if (values.control && values['walk-forward']) throw new BadArgument('--control and --walk-forward do not go together.');
  if (values['loss-limit'] !== undefined && values['walk-forward'])
    throw new BadArgument('--loss-limit and --walk-forward do not go together.');
  return {
    candles: resolve(folder, values.candles),
    funding: values.funding && resolve(folder, values.funding),
    leverage: readNumber('--leverage', values.leverage, 1, MAX_LEVERAGE),
    capital: readNumber('--capital', values.capital, 1, 1e9),
    from,
    to,
    out: values.out === undefined ? undefined : resolve(folder, values.out),
    walk: values['walk-forward'],
    control: values.control,
    lossLimit: values['loss-limit'] === undefined ? undefined : readNumber('--loss-limit', values['loss-limit'], 1, 100),
    seed: readNumber('--seed', values.seed, 0, 1e9),
    wantedInterval: values.interval === undefined ? undefined : readInterval(values.interval),
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        candles: { type: 'string' },
        funding: { type: 'string' },
        leverage: { type: 'string', default: '15' },
        capital: { type: 'string', default: '1000' },
        'loss-limit': { type: 'string' },
        from: { type: 'string' },
        to: { type: 'string' },
        out: { type: 'string' },
        interval: { type: 'string' },
        'walk-forward': { type: 'boolean', default: false },
        control: { type: 'boolean', default: false },
        seed: { type: 'string', default: String(SEED) },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    throw new BadArgument(error instanceof Error ? error.message : String(error));
  }
}

function readNumber(name: string, text: string, least: number, most: number): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most)) throw new BadArgument(`${name} must be a number from ${least} to ${most}.`);
  return value;
}

function readInterval(text: string): number {
  const name = INTERVALS.find((each) => each === text);
  if (!name) throw new BadArgument(`--interval must be one of ${INTERVALS.join(', ')}.`);
  return INTERVAL_MS[name];
}

/** Parses a UTC day such as 2024-01-31, or a time such as 2024-01-31T12:00, in UTC unless it names a zone. */
function readDate(name: string, text: string): number {
  const [, day = '', time = 'T00:00', zone = 'Z'] = /^(\d{4}-\d{2}-\d{2})(?:(T[\d:.]+)(Z|[+-]\d{2}:\d{2})?)?$/.exec(text) ?? [];
  const at = Date.parse(`${day}${time}${zone}`);
  // February 30 would become a day in March.
  const exists = !Number.isNaN(at) && new Date(`${day}T00:00Z`).toISOString().startsWith(day);
  if (!exists) throw new BadArgument(`${name} must be a date such as 2024-01-31.`);
  return at;
}

async function run(wanted: Wanted): Promise<string> {
  const { candles: file, funding, leverage, capital, from, to, out, walk, wantedInterval, seed, lossLimit } = wanted;
  const { all: read, interval: readInterval } = await readCandleFile(file);
  const interval = wantedInterval ?? readInterval;
  if (interval % readInterval !== 0) throw new BadArgument(`--interval must be a multiple of ${intervalName(readInterval)}.`);
  const all = resample(read, { from: readInterval, to: interval });
  const given = funding === undefined ? undefined : await readFundingFile(funding);
  const candles = all.filter(({ time }) => time < to);
  if (!candles.some(({ time }) => time >= from)) throw new BadArgument('There are no candles between --from and --to.');
  const rules = { ...PERPETUAL, leverage };
  const options = { interval, capital, rules, fundingBetween: given?.between ?? usualFunding };
  const walked = walk
    ? walkForward(
        candles.filter(({ time }) => time >= from),
        options,
      )
    : undefined;
  const result: BacktestResult = walked ?? runBacktest(candles, { ...options, from, lossLimit });
  const begin = Math.max(walked?.folds[0]?.from ?? from, (candles[0] as Candle).time);
  const { strategy, held, holding } = compareWithHolding(candles, result, { ...options, from: begin });
  const course = { start: capital, from: strategy.from };
  if (given && (given.to <= strategy.from || given.from >= strategy.to))
    throw new BadFile(`${funding}: its rates, ${dayOf(given.from)} to ${dayOf(given.to)}, are of another time than is traded.`);
  if (out !== undefined) await write(out, result, holding);
  const missing = countMissing(all, interval);
  return [
    `${all.length} candles of ${interval / MINUTE} minutes, ${missing === 0 ? 'none' : missing} missing; traded ${dayOf(strategy.from)} to ${dayOf(strategy.to)}`,
    `${leverage}× at most, taker ${rate(rules.takerFee)}, maker ${rate(rules.makerFee)}, slippage ${rate(rules.slippage)}, ${describeFunding(given, strategy)}`,
    ...(walked?.folds.map(describeFold) ?? []),
    '',
    figuresTable(strategy, held),
    '',
    ...describeMean(result.trades, capital, seed),
    ...(wanted.control
      ? [describeControl(runControl(candles, { ...options, from, lossLimit, runs: CONTROL_RUNS, seed }), course, strategy)]
      : []),
    ...(result.stoppedAt === undefined ? [] : [`The loss limit of ${lossLimit}% stopped the bot at ${instant(result.stoppedAt)}.`]),
    ...describeOpen(result, capital, walk),
    'Hypothetical: past performance does not guarantee future results.',
    ...(out === undefined ? [] : [`Written to ${out}: trades.csv, equity.csv, equity.svg`]),
  ].join('\n');
}

async function write(folder: string, { trades, equity }: BacktestResult, holding: BacktestResult['equity']): Promise<void> {
  const courses = [
    { name: 'Strategy', color: '#0b6b4f', equity },
    { name: 'Buy and hold', color: '#b5651d', equity: holding },
  ];
  const files = {
    'trades.csv': tradesCsv(trades),
    'equity.csv': equityCsv(equity, holding),
    'equity.svg': drawEquity(courses, 'Equity, USD (logarithmic)'),
  };
  try {
    await mkdir(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  } catch {
    throw new BadFile(`${folder} is not writable.`);
  }
}

function describeFunding(given: GivenFunding | undefined, traded: { from: number; to: number }): string {
  const assumed = 'assumed at 0.01% every 8 hours';
  if (!given) return `funding ${assumed}`;
  const whole = given.from <= traded.from && given.to >= traded.to;
  return `funding as given${whole ? '' : `, outside of ${dayOf(given.from)} to ${dayOf(given.to)} ${assumed}`}`;
}

/** Returns what the trades leave out: the open position. */
function describeOpen({ trades, equity }: BacktestResult, capital: number, walk: boolean): string[] {
  const open = trades.reduce((rest, { pnl }) => rest - pnl, (equity.at(-1)?.equity ?? capital) - capital);
  if (Math.abs(open) < 0.005) return [];
  const what = walk ? 'positions open at the end of a year, at its last price' : 'a position that is still open, at its last price';
  return [`Not in the trades: ${open.toFixed(2)} USD of ${what}.`];
}

/** Returns the mean profit of a trade as a share of the bot's money, and how sure it is. */
function describeMean(trades: BacktestResult['trades'], capital: number, seed: number): string[] {
  const found = bootstrapMean(returnsOf(trades, capital), seed);
  if (!found) return [];
  const { mean, low, high } = found;
  const what = low > 0 || high < 0 ? 'statistically different from 0' : 'not statistically different from 0';
  return [
    `Mean per trade: ${percent(mean)} of the bot's money, 95% interval ${percent(low)} to ${percent(high)} (${RESAMPLES} resamples, seed ${seed}): ${what}.`,
  ];
}

/** Returns how random entries did beside the strategy. */
function describeControl(
  controls: readonly BacktestResult[],
  course: { start: number; from: number },
  { totalReturn }: { totalReturn: number },
): string {
  const found = controls.map(({ equity }) => courseFigures(equity, course));
  const better = found.filter((each) => each.totalReturn > totalReturn).length;
  const yearly = found.map(({ cagr }) => cagr ?? 0);
  const [low, middle, high] = [0.025, 0.5, 0.975].map((share) => percent(quantile(yearly, share)));
  return `Random entries along the same trend, same exits: ${better} of ${controls.length} runs earned more than the strategy. CAGR ${middle} in the median, 95% of them ${low} to ${high}.`;
}

const percent = (fraction: number): string => `${(fraction * 100).toFixed(2)}%`;

const describeFold = ({ from, to, tuning: { reach, trend, stopGap, openReward } }: Fold): string =>
  `${dayOf(from)} to ${dayOf(to)}, fitted on earlier candles: reach ${reach} h, means of ${trend.join(' and ')} h, stop ${stopGap} ranges, open target ${openReward} risks`;

const instant = (at: number): string => `${new Date(at).toISOString().slice(0, 16)}Z`;
const rate = (fraction: number): string => `${Number((fraction * 100).toFixed(3))}%`;
