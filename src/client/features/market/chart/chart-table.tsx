import { formatPrice } from '#client/coins/money/money.ts';
import { shownCode } from '#client/coins/money/money-facts.ts';
import { useGrowing } from '#client/platform/use-growing.ts';
import type { ChartCandles } from '#contract/market/chart-candles.ts';
import styles from './chart-table.module.css';
import { formatCandleTime } from './chart-texts.ts';

/** The candles of a chart as a table, the newest first. */
export function ChartTable({ name, history: { candles, interval } }: { name: string; history: ChartCandles }) {
  const count = useGrowing(undefined, candles.length, { first: 20, step: 100 });
  const rows = [...candles].reverse().slice(0, count);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the table
    <section className={styles.scroll} aria-label={`Prices of ${name} in ${shownCode('USD')}`} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {['Date', 'Open', 'High', 'Low', 'Close'].map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ time, open, high, low, close }) => (
            <tr key={time}>
              <th scope="row">{formatCandleTime(time, interval)}</th>
              <td>{formatPrice(open)}</td>
              <td>{formatPrice(high)}</td>
              <td>{formatPrice(low)}</td>
              <td>{formatPrice(close)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
