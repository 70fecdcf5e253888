import { useId } from 'react';
import { BACKTEST, BACKTEST_UNSEEN, HELD, HELD_UNSEEN } from '#domain/bots/backtest-figures.ts';
import { formatSignedPercent } from '#domain/format/format-number.ts';
import { FiguresTable } from '../figures-table.tsx';
import styles from './backtest-figures.module.css';

const day = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const span = ({ from, to }: { from: string; to: string }): string => day.formatRange(Date.parse(from), Date.parse(to));

const gain = (fraction: number | null): string => formatSignedPercent(fraction === null ? null : fraction * 100);
const fall = (fraction: number): string => `${(fraction * 100).toFixed(2)}%`;

/** Compares the strategy with holding bitcoin, over all history and over the part its parameters were not fitted on. */
export function BacktestFigures() {
  const heading = useId();
  return (
    <section className={styles.backtest} aria-labelledby={heading}>
      <h3 id={heading}>Backtest on real candles</h3>
      {[
        { title: span(BACKTEST), bot: BACKTEST, held: HELD },
        { title: `${span(BACKTEST_UNSEEN)}, out of sample`, bot: BACKTEST_UNSEEN, held: HELD_UNSEEN },
      ].map(({ title, bot, held }) => (
        <FiguresTable
          key={title}
          caption={title}
          columns={['Per year', 'Drawdown']}
          rows={Object.entries({ Strategy: bot, 'Buy and hold': held }).map(([label, of]) => ({
            label,
            figures: [gain(of.annual_return), fall(of.max_drawdown)],
          }))}
        />
      ))}
      <p className={styles.note}>
        {BACKTEST.trades} trades on {BACKTEST.name}, after fees, slippage and funding. Past results don't guarantee future returns.
      </p>
    </section>
  );
}
