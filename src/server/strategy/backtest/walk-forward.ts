import { DAY } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { parametersFor, type Tuning } from '../parameters.ts';
import { courseFigures } from './figures.ts';
import { type BacktestOptions, type BacktestResult, type EquityPoint, runBacktest } from './run-backtest.ts';

const YEAR = 365 * DAY;
/** Share of the candles that the first fit sees. */
const FIRST_PART = 0.5;

/** The candidates: a few values around common ones. */
export const CANDIDATES: readonly Tuning[] = [6, 12, 24].flatMap((reach) =>
  (
    [
      [360, 720],
      [480, 960],
      [600, 1200],
    ] as const
  ).flatMap((trend) => [2, 3].flatMap((stopGap) => [8, 12].map((openReward) => ({ reach, trend, stopGap, openReward })))),
);

export interface Fold {
  /** Tunings fitted on everything before `from` and traded until `to`, ms. */
  tuning: Tuning;
  from: number;
  to: number;
}

export interface WalkForward extends BacktestResult {
  folds: Fold[];
}

type Options = Omit<BacktestOptions, 'parameters' | 'from' | 'lossLimit'>;

/**
 * Fits the tuning on the first part (best return per drawdown), trades the next year with it, fits again on everything before the
 * year after, and so on. Returns only the traded years, which their own fit has not seen. A year's last position closes at its last
 * price.
 */
export function walkForward(candles: readonly Candle[], options: Options): WalkForward {
  const { interval, capital } = options;
  const first = candles[Math.floor(candles.length * FIRST_PART)] as Candle;
  const end = (candles.at(-1) as Candle).time + interval;
  // The strategy never looks ahead, so all fits share one run, and each reads its own part.
  const runs = CANDIDATES.map((tuning) => ({
    tuning,
    ...runBacktest(candles, { ...options, parameters: parametersFor(interval, tuning) }),
  }));
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
