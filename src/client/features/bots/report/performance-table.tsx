import type { BotReport, Performance } from '#contract/bots/bot.ts';
import type { Money } from '#domain/bots/bot-money.ts';
import { formatSignedPercent } from '#domain/format/format-number.ts';
import { formatDays } from '../backtest/settings-text.ts';
import { FiguresTable } from '../figures-table.tsx';
import { SectionCard } from '../section-card.tsx';
import { MeasuredFigures } from '../summary/measured-figures.tsx';
import styles from './performance-table.module.css';

const UNKNOWN = '–';

const gain = (fraction: number | null): string => (fraction === null ? UNKNOWN : formatSignedPercent(fraction * 100));
const share = (fraction: number | null): string => (fraction === null ? UNKNOWN : `${(fraction * 100).toFixed(1)}%`);

const ROWS: [string, (of: Performance) => string][] = [
  ['Total return', (of) => gain(of.total_return)],
  ['Per year', (of) => gain(of.annual_return)],
  ['Max drawdown', (of) => share(of.max_drawdown)],
  ['Trades', (of) => of.trades.toLocaleString('en-US')],
  ['Win rate', (of) => share(of.win_rate)],
  ['Profit factor', (of) => of.profit_factor?.toFixed(2) ?? UNKNOWN],
];

const COLUMNS: Record<Money, string> = {
  paper: 'This bot, on paper',
  testnet: 'This bot, on the test network',
  live: 'This bot, real money',
};

interface PerformanceTableProps extends Pick<BotReport, 'live' | 'backtest'> {
  money: Money;
  /** Length of the bot's candles. */
  interval: string;
}

/** Compares a bot's results with a backtest of its strategy. */
export function PerformanceTable({ live, backtest, money, interval }: PerformanceTableProps) {
  const columns = [{ name: COLUMNS[money], of: live }, ...(backtest ? [{ name: 'Backtest, not fitted', of: backtest }] : [])];
  return (
    <SectionCard title={backtest ? 'Results vs. backtest' : 'Results'}>
      <FiguresTable
        columns={columns.map(({ name }) => name)}
        rows={ROWS.map(([label, tell]) => ({ label, figures: columns.map(({ of }) => tell(of)) }))}
      />
      <p className={styles.note}>
        {live.annual_return === null && 'Not enough data for a yearly figure. '}
        {backtest && `Backtest: ${backtest.name}, ${formatDays(backtest.from, backtest.to)}, with fees and funding.`}
      </p>
      <MeasuredFigures interval={interval} />
    </SectionCard>
  );
}
