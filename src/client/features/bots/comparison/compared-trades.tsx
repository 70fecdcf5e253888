import { formatUtc } from '#client/ui/labels/format-utc.ts';
import type { Bot } from '#contract/bots/bot.ts';
import type { BotComparison, ComparedTradeAnswer } from '#contract/bots/bot-comparison.ts';
import { formatGain } from '#domain/bots/bot-amounts.ts';
import { clockName } from '#domain/bots/instrument.ts';
import { Gain } from '../summary/gain.tsx';
import { type WideColumn, WideTable } from '../wide-table.tsx';
import { whyOf } from './causes.ts';
import styles from './comparison.module.css';

const profitOf = (trade: ComparedTradeAnswer['bot']): string => (trade ? formatGain(trade.pnl) : 'No trade');

const COLUMNS: readonly WideColumn<ComparedTradeAnswer>[] = [
  { label: 'Signal', cell: ({ signal_at }) => <time dateTime={signal_at}>{formatUtc(Date.parse(signal_at))}</time> },
  { label: 'Side', cell: ({ side }) => (side === 'long' ? 'Long' : 'Short') },
  { label: 'This bot', cell: ({ bot }) => profitOf(bot) },
  { label: 'Backtest', cell: ({ backtest }) => profitOf(backtest) },
  { label: 'Difference', cell: ({ difference }) => <Gain usd={difference} /> },
  { label: 'Why', cell: whyOf, isLong: true },
];

/** Lists the trades that differ, newest first. */
export function ComparedTrades({ comparison, config }: { comparison: BotComparison } & Pick<Bot, 'config'>) {
  const { trades, trade_count } = comparison;
  const different = trades.filter(({ difference, parts, text }) => difference !== 0 || parts.length > 0 || text !== null);
  if (different.length === 0) return null;
  return (
    <>
      <WideTable
        label="Trades that differ, newest first"
        columns={COLUMNS}
        rows={different}
        keyOf={({ signal_at, side, bot }) => `${signal_at} ${side} ${bot?.opened_at}`}
        maxHeight={420}
      />
      <p className={styles.note}>
        Signals in {clockName(config)}.
        {trade_count > trades.length && ` The table covers the newest ${trades.length} of ${trade_count.toLocaleString('en-US')} trades.`}
      </p>
    </>
  );
}
