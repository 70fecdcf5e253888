import type { Performance } from '#contract/bots/bot.ts';
import file from './backtest-figures.json';

/** What a backtest of one candle length measured. Fractions, not percent. */
export interface IntervalFigures {
  market: string;
  /** How to repeat the measurement. */
  command: string;
  /** The strategy on candles that its parameters were not chosen on. */
  unseen: Performance;
  /** Bitcoin bought on the first of those days, and held. */
  unseen_held: Held;
  /** The strategy on all candles, and bitcoin held. */
  whole: Performance;
  whole_held: Held;
  /** Profit of an unseen trade as a share of the bot's money: the mean and its 95% interval. */
  per_trade: { mean: number; low: number; high: number };
  /** Median of all parameter combinations that were compared, on unseen candles. */
  combinations: { count: number; annual_return: number; max_drawdown: number };
  /** Random entries along the same trend with the same exits, on unseen candles. `better` is the share that earned more. */
  random_entries: { runs: number; annual_return: number; max_drawdown: number; better: number };
  /** Value of an unseen position, in multiples of the bot's money: a middle 90% of positions lie from `low` to `high`. */
  exposure: { low: number; median: number; high: number };
  /** The strategy on the server's own candles, so that a test can repeat it anywhere. Null for lengths that it does not have. */
  sample: Performance | null;
}

export interface Held {
  annual_return: number | null;
  max_drawdown: number;
}

/** The parameters that the figures belong to, and the figures by candle length. `npm run backtest:figures` writes it. */
interface FiguresFile {
  /** USD. */
  capital: number;
  leverage: number;
  parameters: Record<string, number>;
  intervals: Record<string, IntervalFigures>;
}

export const BACKTESTS: FiguresFile = file;

/** Returns the figures of a candle length such as `1h`; undefined if none were measured. */
export const figuresOf = (interval: string): IntervalFigures | undefined =>
  Object.hasOwn(BACKTESTS.intervals, interval) ? BACKTESTS.intervals[interval] : undefined;

/** Tells users of a candle length without figures. Bots that already trade real money on it go on. */
export const unmeasuredMessage = (interval: string): string =>
  `No backtest covers ${interval} candles, so the strategy's results on them are unknown. A bot can't be created or started with real money on them.`;

/** Whether the unseen trades show a profit at 95% confidence. */
export const isProven = ({ per_trade }: Pick<IntervalFigures, 'per_trade'>): boolean => per_trade.low > 0;
