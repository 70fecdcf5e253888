import type { ReactNode } from 'react';
import { formatUtc } from '#client/ui/labels/format-utc.ts';
import type { Bot } from '#contract/bots/bot.ts';
import type { BotComparison, ComparedTradeAnswer } from '#contract/bots/bot-comparison.ts';
import { formatGain } from '#domain/bots/bot-amounts.ts';
import { clockName } from '#domain/bots/instrument.ts';
import { Gain } from '../summary/gain.tsx';
import { whyOf } from './causes.ts';
import styles from './comparison.module.css';

const profitOf = (trade: ComparedTradeAnswer['bot']): string => (trade ? formatGain(trade.pnl) : 'No trade');

const COLUMNS: readonly [label: string, cell: (trade: ComparedTradeAnswer) => ReactNode][] = [
  ['Signal', ({ signal_at }) => <time dateTime={signal_at}>{formatUtc(Date.parse(signal_at))}</time>],
  ['Side', ({ side }) => (side === 'long' ? 'Long' : 'Short')],
  ['This bot', ({ bot }) => profitOf(bot)],
  ['Backtest', ({ backtest }) => profitOf(backtest)],
  ['Difference', ({ difference }) => <Gain usd={difference} />],
  ['Why', whyOf],
];

/** Lists the trades that differ, newest first. */
export function ComparedTrades({ comparison, config }: { comparison: BotComparison } & Pick<Bot, 'config'>) {
  const { trades, trade_count } = comparison;
  const different = trades.filter(({ difference, parts, text }) => difference !== 0 || parts.length > 0 || text !== null);
  if (different.length === 0) return null;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
      <section className={styles.scroll} tabIndex={0} aria-label="Trades that differ, newest first">
        <table className={styles.table}>
          <thead>
            <tr>
              {COLUMNS.map(([label]) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {different.map((trade) => (
              <tr key={`${trade.signal_at} ${trade.side} ${trade.bot?.opened_at}`}>
                {COLUMNS.map(([label, cell]) => (
                  <td key={label} data-label={label}>
                    {cell(trade)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className={styles.note}>
        Signals in {clockName(config)}.
        {trade_count > trades.length && ` The table covers the newest ${trades.length} of ${trade_count.toLocaleString('en-US')} trades.`}
      </p>
    </>
  );
}
