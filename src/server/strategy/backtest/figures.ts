import { DAY } from '#domain/clock.ts';
import type { EquityPoint } from './run-backtest.ts';
import type { Trade } from './trades.ts';

const YEAR = 365.25 * DAY;
/** A shorter span has no annual figures, ms. */
const LEAST_FOR_A_YEAR = 30 * DAY;

/** Figures of an equity curve. Fractions, not percent; null if they cannot be computed. */
export interface CourseFigures {
  from: number;
  to: number;
  /** USD. */
  start: number;
  end: number;
  totalReturn: number;
  cagr: number | null;
  maxDrawdown: number;
  /** Annualized from UTC days, 365 a year, without a risk-free rate. */
  sharpe: number | null;
  sortino: number | null;
  calmar: number | null;
  exposure: number;
  /** Longest time from one equity high to the next, or to the end, ms. */
  longestDrawdown: number;
  /** Returns of UTC months; the first and the last may be partial. */
  worstMonth: number;
}

export interface TradeFigures {
  trades: number;
  winRate: number | null;
  /** USD won for each USD lost. */
  profitFactor: number | null;
}

/** Returns the annual return of money that grew `growth` times in `span` ms; null for too short a span. */
export const annualReturn = (growth: number, span: number): number | null =>
  span < LEAST_FOR_A_YEAR ? null : Math.max(growth, 0) ** (YEAR / span) - 1;

/** Returns the figures of equity that was `start` USD at `from` ms, when the first candle opened. Needs at least one point. */
export function courseFigures(equity: readonly EquityPoint[], { start, from }: { start: number; from: number }): CourseFigures {
  const last = equity.at(-1);
  if (!last) throw new Error('There is no equity to tell figures of.');
  const span = last.at - from;
  const totalReturn = last.equity / start - 1;
  const cagr = annualReturn(last.equity / start, span);
  const daily = returns(equity, start, (at) => Math.floor((at - 1) / DAY));
  const monthly = returns(equity, start, (at) => new Date(at - 1).toISOString().slice(0, 7));
  const mean = average(daily);
  const deviation = Math.sqrt(average(daily.map((value) => (value - mean) ** 2)));
  const downside = Math.sqrt(average(daily.map((value) => Math.min(value, 0) ** 2)));
  const { maxDrawdown, longestDrawdown } = drawdowns(equity, start, from);
  return {
    from,
    to: last.at,
    start,
    end: last.equity,
    totalReturn,
    cagr,
    maxDrawdown,
    sharpe: deviation > 0 ? (mean / deviation) * Math.sqrt(365) : null,
    sortino: downside > 0 ? (mean / downside) * Math.sqrt(365) : null,
    calmar: cagr !== null && maxDrawdown > 0 ? cagr / maxDrawdown : null,
    exposure: equity.filter(({ exposed }) => exposed).length / equity.length,
    longestDrawdown,
    worstMonth: Math.min(...monthly),
  };
}

export function tradeFigures(trades: readonly Pick<Trade, 'pnl'>[]): TradeFigures {
  const won = trades.filter(({ pnl }) => pnl > 0);
  const lost = trades.filter(({ pnl }) => pnl <= 0);
  const sum = (some: typeof trades) => some.reduce((total, { pnl }) => total + pnl, 0);
  return {
    trades: trades.length,
    winRate: trades.length > 0 ? won.length / trades.length : null,
    profitFactor: sum(lost) < 0 ? sum(won) / -sum(lost) : null,
  };
}

/** Returns the changes from each period's end to the next. `periodOf` returns the period that ends at or after `at`. */
function returns<T>(equity: readonly EquityPoint[], start: number, periodOf: (at: number) => T): number[] {
  const ends: number[] = [];
  let period: T | undefined;
  for (const { at, equity: value } of equity) {
    const next = periodOf(at);
    if (next === period) ends[ends.length - 1] = value;
    else ends.push(value);
    period = next;
  }
  return ends.map((end, index) => end / (ends[index - 1] ?? start) - 1);
}

/** Returns how far equity fell from its high, and how long it stayed below. It was `start` USD at `from` ms. */
export function drawdowns(equity: readonly Pick<EquityPoint, 'at' | 'equity'>[], start: number, from: number) {
  let peak = start;
  let peakAt = from;
  let maxDrawdown = 0;
  let longestDrawdown = 0;
  for (const { at, equity: value } of equity) {
    if (value >= peak) {
      peak = value;
      peakAt = at;
    } else {
      maxDrawdown = Math.max(maxDrawdown, 1 - value / peak);
      longestDrawdown = Math.max(longestDrawdown, at - peakAt);
    }
  }
  return { maxDrawdown, longestDrawdown };
}

const average = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
