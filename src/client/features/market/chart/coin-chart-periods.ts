import type { DailyCandle } from '#contract/market/chart-candles.ts';
import { DAY } from '#domain/clock.ts';

/** Periods that the chart can show, in days with a candle. */
export const CHART_PERIODS = [
  { label: '1M', name: '1 month', days: 30 },
  { label: '3M', name: '3 months', days: 90 },
  { label: '1Y', name: '1 year', days: 365 },
  { label: 'All', name: 'All', days: Number.POSITIVE_INFINITY },
] as const;
export type ChartPeriod = (typeof CHART_PERIODS)[number];

/** Fewer candles draw no chart. */
export const MIN_CANDLES = 2;

/** Returns the periods shorter than the history, and "All". */
export const offeredPeriods = (count: number): ChartPeriod[] =>
  CHART_PERIODS.filter(({ days }) => days < count || days === Number.POSITIVE_INFINITY);

export interface ChartSpan {
  /** Start of the first and of the last day, ms UTC. */
  from: number;
  to: number;
  high: number;
  low: number;
  close: number;
  /** Percent from the first open to the last close. Undefined if the first open is 0. */
  change: number | undefined;
  /** The longest run of missing days, as the days around it. Undefined if no day is missing. */
  gap: { after: number; before: number } | undefined;
}

/** Sums up the last `days` candles. Undefined without a candle. */
export function chartSpan(candles: readonly DailyCandle[], days: number): ChartSpan | undefined {
  const shown = days < candles.length ? candles.slice(-days) : candles;
  const first = shown[0];
  const last = shown.at(-1);
  if (!first || !last) return undefined;
  return {
    from: first.time,
    to: last.time,
    high: Math.max(...shown.map(({ high }) => high)),
    low: Math.min(...shown.map(({ low }) => low)),
    close: last.close,
    change: first.open > 0 ? (last.close / first.open - 1) * 100 : undefined,
    gap: longestGap(shown),
  };
}

function longestGap(candles: readonly DailyCandle[]): ChartSpan['gap'] {
  let gap: ChartSpan['gap'];
  for (const [index, { time }] of candles.entries()) {
    const after = candles[index - 1]?.time ?? time;
    if (time - after >= 2 * DAY && time - after > (gap ? gap.before - gap.after : 0)) gap = { after, before: time };
  }
  return gap;
}
