import type { DayProfit } from '#contract/bots/trade-history.ts';
import { dayOf } from '../clock.ts';
import { sumOfCents } from './bot-amounts.ts';

interface PeriodProfit {
  /** USD. */
  profit: number;
  trades: number;
}

/** Adds up closed trades by the UTC day on which they closed, newest first. `pnl` in USD. */
export function profitByDay(trades: readonly { pnl: number; closedAt: Date }[]): DayProfit[] {
  const parts = trades.map(({ pnl, closedAt }) => ({ period: dayOf(closedAt.getTime()), profit: pnl, trades: 1 }));
  return addUp(parts).map(([day, sum]) => ({ day, ...sum }));
}

/** Adds up days by UTC month, such as `2026-03`, newest first. */
export function profitByMonth(days: readonly DayProfit[]): (PeriodProfit & { month: string })[] {
  const parts = days.map(({ day, ...sum }) => ({ period: day.slice(0, 7), ...sum }));
  return addUp(parts).map(([month, sum]) => ({ month, ...sum }));
}

function addUp(parts: readonly (PeriodProfit & { period: string })[]): [string, PeriodProfit][] {
  const sums = new Map<string, PeriodProfit>();
  for (const { period, profit, trades } of parts) {
    const sum = sums.get(period) ?? { profit: 0, trades: 0 };
    sums.set(period, { profit: sumOfCents([sum.profit, profit]), trades: sum.trades + trades });
  }
  return [...sums].sort(([a], [b]) => (a < b ? 1 : -1));
}
