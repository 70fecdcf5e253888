import { useAmounts } from '#client/platform/device-choices/hidden-amounts.ts';
import { formatUtc } from '#client/ui/labels/format-utc.ts';
import type { Bot } from '#contract/bots/bot.ts';
import type { BotComparison, ComparedTradeAnswer } from '#contract/bots/bot-comparison.ts';
import type { AmountTexts } from '#domain/bots/bot-amounts.ts';
import { clockName } from '#domain/bots/instrument.ts';
import { Gain } from '../summary/gain.tsx';
import { type WideColumn, WideTable } from '../wide-table.tsx';
import { whyOf } from './causes.ts';
import styles from './comparison.module.css';

const profitOf = (trade: ComparedTradeAnswer['bot'], { gain }: AmountTexts): string => (trade ? gain(trade.pnl) : 'No trade');

const columnsOf = (amounts: AmountTexts): readonly WideColumn<ComparedTradeAnswer>[] => [
  { label: 'Signal', cell: ({ signal_at }) => <time dateTime={signal_at}>{formatUtc(signal_at)}</time> },
  { label: 'Side', cell: ({ side }) => (side === 'long' ? 'Long' : 'Short') },
  { label: 'This bot', cell: ({ bot }) => profitOf(bot, amounts) },
  { label: 'Backtest', cell: ({ backtest }) => profitOf(backtest, amounts) },
  { label: 'Difference', cell: ({ difference }) => <Gain usd={difference} /> },
  { label: 'Why', cell: (trade) => whyOf(trade, amounts), isLong: true },
];

/** Lists the trades that differ, newest first. */
export function ComparedTrades({ comparison, config }: { comparison: BotComparison } & Pick<Bot, 'config'>) {
  const columns = columnsOf(useAmounts());
  const { trades, trade_count } = comparison;
  const different = trades.filter(({ difference, parts, text }) => difference !== 0 || parts.length > 0 || text !== null);
  if (different.length === 0) return null;
  return (
    <>
      <WideTable
        label="Trades that differ, newest first"
        columns={columns}
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
