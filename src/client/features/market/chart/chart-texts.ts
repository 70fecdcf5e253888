import { formatPrice } from '#client/coins/money/money.ts';
import { shownCode } from '#client/coins/money/money-facts.ts';
import type { ChartPeriod } from '#contract/market/chart-candles.ts';
import { DAY } from '#domain/clock.ts';
import type { ChartSpan } from './coin-chart-periods.ts';

/** Names of the periods, for screen readers. */
export const PERIOD_NAMES: Record<ChartPeriod, string> = {
  '1D': '1 day',
  '7D': '7 days',
  '1M': '1 month',
  '3M': '3 months',
  '1Y': '1 year',
  ALL: 'All',
};

const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const hour = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit', timeZone: 'UTC' });

const formatOf = (interval: number) => (interval < DAY ? hour : day);

/** Formats the start of a candle of `interval` ms, UTC. */
export const formatCandleTime = (time: number, interval: number): string => formatOf(interval).format(time);

/** Formats the time between two candles, UTC. */
export const formatCandleRange = (from: number, to: number, interval: number): string => formatOf(interval).formatRange(from, to);

/** Describes a chart for screen readers. */
export const chartLabel = (name: string, interval: number, { from, to, high, low, close }: ChartSpan): string =>
  `${interval < DAY ? 'Hourly' : 'Daily'} candles of ${name} in ${shownCode('USD')}, ${formatCandleTime(from, interval)} to ${formatCandleTime(to, interval)}: last close ${formatPrice(close)}, low ${formatPrice(low)}, high ${formatPrice(high)}.`;
