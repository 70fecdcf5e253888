import type { Held, IntervalFigures } from '#domain/bots/backtest-figures.ts';
import { RISK_PER_TRADE } from '#domain/bots/exposure.ts';
import type { Candle } from '#domain/market/candles.ts';
import { PERPETUAL } from '../matching/perpetual.ts';
import { FITTED_UNTIL, parametersFor, TUNING } from '../parameters.ts';
import { bootstrapMean } from './bootstrap.ts';
import { compareWithHolding } from './compare.ts';
import { runControl } from './control.ts';
import { type CourseFigures, courseFigures, type TradeFigures } from './figures.ts';
import { type FundingBetween, usualFunding } from './funding.ts';
import { median, quantile } from './quantile.ts';
import { type BacktestOptions, type BacktestResult, runBacktest } from './run-backtest.ts';
import { type Trade, withCapital } from './trades.ts';
import { CANDIDATES } from './walk-forward.ts';

export const CAPITAL = 1000;
export const LEVERAGE = 15;
export const SEED = 1;
export const CONTROL_RUNS = 200;

/** The parameters that the figures belong to. */
export const MEASURED_PARAMETERS: Record<string, number> = {
  reach_hours: TUNING.reach,
  short_trend_hours: TUNING.trend[0],
  long_trend_hours: TUNING.trend[1],
  stop_ranges: TUNING.stopGap,
  open_target_risks: TUNING.openReward,
  risk_per_trade: RISK_PER_TRADE,
};

interface Data {
  candles: readonly Candle[];
  /** ms. */
  interval: number;
  fundingBetween: FundingBetween;
}

const optionsOf = ({ interval, fundingBetween }: Omit<Data, 'candles'>, from: number): BacktestOptions => ({
  interval,
  capital: CAPITAL,
  rules: { ...PERPETUAL, leverage: LEVERAGE },
  fundingBetween,
  from,
});

/** Measures everything that users see about a candle length. Takes minutes for years of hourly candles. */
export function measure(data: Data, sample: readonly Candle[] | undefined): Omit<IntervalFigures, 'market' | 'command'> {
  const { candles } = data;
  const whole = measurePart(data, candles[0]?.time ?? 0);
  const unseen = measurePart(data, FITTED_UNTIL);
  const options = optionsOf(data, FITTED_UNTIL);
  const compared = CANDIDATES.map((tuning) =>
    courseOf(runBacktest(candles, { ...options, parameters: parametersFor(data.interval, tuning) }), unseen.from),
  );
  const controls = runControl(candles, { ...options, runs: CONTROL_RUNS, seed: SEED }).map((run) => courseOf(run, unseen.from));
  return {
    unseen: unseen.performance,
    unseen_held: unseen.held,
    whole: whole.performance,
    whole_held: whole.held,
    ...measureTrades(unseen.result.trades),
    combinations: { count: compared.length, ...middleOf(compared) },
    random_entries: {
      runs: controls.length,
      ...middleOf(controls),
      better: rounded(controls.filter(({ totalReturn }) => totalReturn > unseen.performance.total_return).length / controls.length),
    },
    sample: sample ? measureSample(sample, data.interval) : null,
  };
}

/** Measures candles from `start` on; earlier ones only warm the strategy up. */
export function measurePart(data: Data, start: number) {
  const from = data.candles.find(({ time }) => time >= start)?.time ?? start;
  const options = optionsOf(data, from);
  const result = runBacktest(data.candles, options);
  const { strategy, held } = compareWithHolding(data.candles, result, options);
  const holding: Held = { annual_return: roundedOrNull(held.cagr), max_drawdown: rounded(held.maxDrawdown) };
  return { from, result, performance: performanceOf(strategy), held: holding };
}

/** Measures candles whose historical funding is not at hand. */
export const measureSample = (candles: readonly Candle[], interval: number): IntervalFigures['unseen'] =>
  measurePart({ candles, interval, fundingBetween: usualFunding }, candles[0]?.time ?? 0).performance;

const middleOf = (courses: readonly CourseFigures[]) => ({
  annual_return: rounded(median(courses.map(({ cagr }) => cagr ?? 0))),
  max_drawdown: rounded(median(courses.map(({ maxDrawdown }) => maxDrawdown))),
});

const courseOf = ({ equity }: BacktestResult, from: number) => courseFigures(equity, { start: CAPITAL, from });

/** Returns each trade's profit as a share of the bot's money, which is `start` USD before the first. */
export const returnsOf = (trades: readonly Trade[], start: number): number[] =>
  withCapital(trades, start).map(({ pnl, capital }) => pnl / capital);

/** Measures what a trade earns, and the size of its position. */
export function measureTrades(trades: readonly Trade[]): Pick<IntervalFigures, 'per_trade' | 'exposure'> {
  const { mean = 0, low = 0, high = 0 } = bootstrapMean(returnsOf(trades, CAPITAL), SEED) ?? {};
  const multiples = withCapital(trades, CAPITAL).map(({ quantity, entry, capital }) => (quantity * entry) / capital);
  const at = (share: number) => Math.round(quantile(multiples, share) * 10) / 10;
  return {
    per_trade: { mean: rounded(mean), low: rounded(low), high: rounded(high) },
    exposure: { low: at(0.05), median: at(0.5), high: at(0.95) },
  };
}

/** Returns the figures of a backtest that the app stores. */
export const performanceOf = (figures: CourseFigures & TradeFigures): IntervalFigures['unseen'] => ({
  from: new Date(figures.from).toISOString(),
  to: new Date(figures.to).toISOString(),
  trades: figures.trades,
  total_return: rounded(figures.totalReturn),
  annual_return: roundedOrNull(figures.cagr),
  max_drawdown: rounded(figures.maxDrawdown),
  win_rate: roundedOrNull(figures.winRate),
  profit_factor: roundedOrNull(figures.profitFactor),
});

/** Rounds to a hundredth of a percent. */
const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;
const roundedOrNull = (value: number | null): number | null => (value === null ? null : rounded(value));
