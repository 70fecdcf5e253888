import { DAY } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { parametersFor, type Tuning } from '../parameters.ts';
import { courseFigures } from './figures.ts';
import { type BacktestOptions, type BacktestResult, type EquityPoint, runBacktest } from './run-backtest.ts';

const YEAR = 365 * DAY;
/** Of the candles, what the first fit may see. */
const FIRST_PART = 0.5;

/** What is tried: few values, around what people look at. */
const TRIED: readonly Tuning[] = [6, 12, 24].flatMap((reach) =>
  (
    [
      [360, 720],
      [480, 960],
      [600, 1200],
    ] as const
  ).flatMap((trend) => [2, 3].flatMap((stopGap) => [8, 12].map((openReward) => ({ reach, trend, stopGap, openReward })))),
);

export interface Fold {
  /** What was fitted on everything before `from`, and traded until `to`, ms. */
  tuning: Tuning;
  from: number;
  to: number;
}

export interface WalkForward extends BacktestResult {
  folds: Fold[];
}

type Options = Omit<BacktestOptions, 'parameters' | 'from'>;

/**
 * Fits on the first part, trades the year that follows with what was best there (return per drawdown), fits again on all
 * that lies before the next year, and so on to the end. Only the years traded are answered with: none of them was seen by
 * its own fit. A position that a year ends with is given up at its last price.
 */
export function walkForward(candles: readonly Candle[], options: Options): WalkForward {
  const { interval, capital } = options;
  const first = candles[Math.floor(candles.length * FIRST_PART)] as Candle;
  const end = (candles.at(-1) as Candle).time + interval;
  // The strategy does not look ahead, so one run serves every fit: each reads it as far as it may.
  const runs = TRIED.map((tuning) => ({ tuning, ...runBacktest(candles, { ...options, parameters: parametersFor(interval, tuning) }) }));
  const result: WalkForward = { folds: [], trades: [], equity: [] };
  let money = capital;
  for (let from = first.time; from < end; from += YEAR) {
    const to = Math.min(from + YEAR, end);
    const seen = runs.map(({ tuning, equity }) => ({
      tuning,
      score: score(
        equity.filter(({ at }) => at <= from),
        capital,
      ),
    }));
    const { tuning } = seen.reduce((best, run) => (run.score > best.score ? run : best));
    const year = candles.filter(({ time }) => time < to);
    const { trades, equity } = runBacktest(year, { ...options, capital: money, from, parameters: parametersFor(interval, tuning) });
    result.folds.push({ tuning, from, to });
    result.trades.push(...trades);
    result.equity.push(...equity);
    money = equity.at(-1)?.equity ?? money;
  }
  return result;
}

function score(equity: readonly EquityPoint[], capital: number): number {
  const first = equity[0];
  if (!first) return Number.NEGATIVE_INFINITY;
  const { totalReturn, maxDrawdown } = courseFigures(equity, { start: capital, from: first.at });
  return totalReturn / Math.max(maxDrawdown, 0.01);
}
