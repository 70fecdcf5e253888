import type { ChartCandles, ChartPeriod, DailyCandle } from '#contract/market/chart-candles.ts';
import { DAY } from '#domain/clock.ts';

/** Fewer candles draw no chart. */
export const MIN_CANDLES = 2;

export interface ChartSpan {
  /** Start of the first and of the last candle, ms UTC. */
  from: number;
  to: number;
  high: number;
  low: number;
  close: number;
  /** Percent from the first open to the last close. Undefined if the first open is 0. */
  change: number | undefined;
  /** The longest run of missing candles, as those around it. Undefined if none is missing. */
  gap: { after: number; before: number } | undefined;
}

/** Sums up candles of `interval` ms. Undefined without a candle. */
export function chartSpan(candles: readonly DailyCandle[], interval: number): ChartSpan | undefined {
  const first = candles[0];
  const last = candles.at(-1);
  if (!first || !last) return undefined;
  return {
    from: first.time,
    to: last.time,
    high: Math.max(...candles.map(({ high }) => high)),
    low: Math.min(...candles.map(({ low }) => low)),
    close: last.close,
    change: first.open > 0 ? (last.close / first.open - 1) * 100 : undefined,
    gap: longestGap(candles, interval),
  };
}

function longestGap(candles: readonly DailyCandle[], interval: number): ChartSpan['gap'] {
  let gap: ChartSpan['gap'];
  for (const [index, { time }] of candles.entries()) {
    const after = candles[index - 1]?.time ?? time;
    if (time - after >= 2 * interval && time - after > (gap ? gap.before - gap.after : 0)) gap = { after, before: time };
  }
  return gap;
}

/** Returns the percent that a coin gained since `from`, ms. Undefined if its candles begin later, or at 0. */
export function changeSince(candles: readonly DailyCandle[], from: number): number | undefined {
  const first = candles.find(({ time }) => time >= from);
  const last = candles.at(-1);
  return first && last && first.open > 0 ? (last.close / first.open - 1) * 100 : undefined;
}

/** Time of each period up to the newest figures, ms. */
export const PERIOD_SPANS: Record<ChartPeriod, number> = {
  '1D': DAY,
  '7D': 7 * DAY,
  '1M': 30 * DAY,
  '3M': 90 * DAY,
  '1Y': 365 * DAY,
  ALL: Number.POSITIVE_INFINITY,
};

const DAILY_PERIODS = ['1M', '3M', '1Y', 'ALL'] as const;

/** Returns the shortest period in which daily candles make a chart. */
export function periodWithData({ candles, asOf }: ChartCandles): ChartPeriod | undefined {
  const before = candles.at(-MIN_CANDLES)?.time;
  return before === undefined ? undefined : DAILY_PERIODS.find((period) => before + DAY > Date.parse(asOf) - PERIOD_SPANS[period]);
}
