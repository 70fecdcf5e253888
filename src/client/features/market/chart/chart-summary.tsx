import { formatPrice } from '#client/coins/money/money.ts';
import { Change } from '#client/coins/price.tsx';
import type { DailyCandle } from '#contract/market/chart-candles.ts';
import { formatSignedPercent, formatSymbol } from '#domain/format/format-number.ts';
import styles from './chart-summary.module.css';
import { formatCandleRange, formatCandleTime } from './chart-texts.ts';
import { type ChartSpan, changeSince } from './coin-chart-periods.ts';

interface LegendProps {
  candle: DailyCandle | undefined;
  /** ms. */
  interval: number;
}

/** Shows the prices of the candle under the crosshair, or of the last one. */
export const Legend = ({ candle, interval }: LegendProps) => (
  <>
    <p className={styles.day}>
      {candle ? (
        <>
          <time dateTime={new Date(candle.time).toISOString()}>{formatCandleTime(candle.time, interval)}</time>
          <Change value={candle.open > 0 ? (candle.close / candle.open - 1) * 100 : undefined} />
        </>
      ) : (
        'Chart'
      )}
    </p>
    <dl className={styles.prices}>
      {Object.entries({ Open: candle?.open, High: candle?.high, Low: candle?.low, Close: candle?.close }).map(([label, price]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{formatPrice(price)}</dd>
        </div>
      ))}
    </dl>
  </>
);

interface ChartSummaryProps {
  span: ChartSpan | undefined;
  /** ms. */
  interval: number;
  /** The coin that is compared. */
  other: { symbol: string; candles: readonly DailyCandle[] | undefined; isLoading: boolean } | undefined;
}

/** Describes the period of the chart in a sentence. */
export function ChartSummary({ span, interval, other }: ChartSummaryProps) {
  if (!span) return <p className={styles.span} />;
  const { from, to, low, high, change, gap } = span;
  const format = (time: number) => formatCandleTime(time, interval);
  return (
    <p className={styles.span}>
      {formatCandleRange(from, to, interval)}: low {formatPrice(low)}, high {formatPrice(high)}
      {change !== undefined && `, ${formatSignedPercent(change)}`}.{other && ` ${comparison(other, from)}`}
      {gap && ` No data between ${format(gap.after)} and ${format(gap.before)}.`}
    </p>
  );
}

function comparison({ symbol, candles, isLoading }: NonNullable<ChartSummaryProps['other']>, from: number): string {
  const name = formatSymbol(symbol);
  const change = candles && changeSince(candles, from);
  if (change !== undefined) return `${name}: ${formatSignedPercent(change)}.`;
  return isLoading ? `${name} is loading.` : `${name} has no history for this period.`;
}
