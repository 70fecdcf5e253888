import { useId } from 'react';
import { figuresOf, type Held, type IntervalFigures, isProven, unmeasuredMessage } from '#domain/bots/backtest-figures.ts';
import { FiguresTable } from '../figures-table.tsx';
import styles from './measured-figures.module.css';

const month = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const span = ({ from, to }: { from: string; to: string }): string => month.formatRange(Date.parse(from), Date.parse(to));

/** Formats a fraction as `npm run backtest` does. */
const percent = (fraction: number | null, places = 1): string => (fraction === null ? '–' : `${(fraction * 100).toFixed(places)}%`);

const row = (label: string, { annual_return, max_drawdown }: Held) => ({
  label,
  figures: [percent(annual_return), percent(max_drawdown)],
});
const COLUMNS = ['Per year', 'Drawdown'];

/** Shows what a backtest measured for a candle length: first the part that the strategy was not fitted on. */
export function MeasuredFigures({ interval }: { interval: string }) {
  const heading = useId();
  const figures = figuresOf(interval);
  return (
    <section className={styles.measured} aria-labelledby={heading}>
      <h3 id={heading}>Backtest on real candles</h3>
      {figures ? <Figures figures={figures} interval={interval} /> : <p className={styles.caution}>{unmeasuredMessage(interval)}</p>}
    </section>
  );
}

function Figures({ figures, interval }: { figures: IntervalFigures; interval: string }) {
  const { unseen, unseen_held, whole, whole_held, per_trade, combinations, random_entries, market } = figures;
  return (
    <>
      <FiguresTable
        caption={`${span(unseen)}, not fitted`}
        columns={COLUMNS}
        rows={[
          row('Strategy', unseen),
          row(`Median of ${combinations.count} settings`, combinations),
          row('Median of random entries', random_entries),
          row('Buy and hold', unseen_held),
        ]}
      />
      <p className={styles.caution}>
        {isProven(figures)
          ? 'The profit outside the fitted years is statistically proven.'
          : 'The profit outside the fitted years is not statistically proven. It can be chance.'}
      </p>
      <p className={styles.note}>
        {unseen.trades} trades made {percent(per_trade.mean, 2)} of the bot's money each on average. The 95% interval is{' '}
        {percent(per_trade.low, 2)} to {percent(per_trade.high, 2)}. Random entries along the same trend, with the same exits, earned more
        in {percent(random_entries.better, 0)} of {random_entries.runs} runs.
      </p>
      <FiguresTable
        caption={`${span(whole)}, fitted years included`}
        columns={COLUMNS}
        rows={[row('Strategy', whole), row('Buy and hold', whole_held)]}
      />
      <p className={styles.note}>
        {market}, {interval} candles, after fees, slippage and funding. Past results don't guarantee future returns.
      </p>
    </>
  );
}
