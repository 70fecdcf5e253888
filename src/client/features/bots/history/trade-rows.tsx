import type { ReactNode } from 'react';
import { Icon } from '#client/ui/graphics/icon.tsx';
import type { BotTrade } from '#contract/bots/bot.ts';
import type { TradeColumn } from '#contract/bots/trade-history.ts';
import { formatAmount, formatGain } from '#domain/bots/bot-amounts.ts';
import { formatBtc } from '#domain/format/format-number.ts';
import { Gain } from '../summary/gain.tsx';
import type { TradesView } from './history-resources.ts';
import styles from './trade-table.module.css';

const time = new Intl.DateTimeFormat('en', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

const when = (at: string): ReactNode => <time dateTime={at}>{time.format(Date.parse(at))}</time>;

const COLUMNS: readonly [column: TradeColumn, label: string, cell: (trade: BotTrade) => ReactNode][] = [
  ['closed_at', 'Closed', ({ closed_at }) => when(closed_at)],
  ['side', 'Side', ({ side }) => (side === 'long' ? 'Long' : 'Short')],
  ['quantity', 'Quantity', ({ quantity }) => formatBtc(quantity)],
  ['entry_price', 'Entry', ({ entry_price }) => formatAmount(entry_price)],
  ['exit_price', 'Exit', ({ exit_price }) => formatAmount(exit_price)],
  ['pnl', 'Profit', ({ pnl }) => <Gain usd={pnl} />],
  ['fees', 'Fees', ({ fees }) => formatAmount(fees)],
  ['funding', 'Funding', ({ funding }) => formatGain(funding)],
  ['reason', 'Reason', ({ reason }) => reason],
  ['opened_at', 'Opened', ({ opened_at }) => when(opened_at)],
];

export type TradeOrder = Pick<TradesView, 'sort' | 'order'>;

interface TradeRowsProps {
  trades: readonly BotTrade[];
  view: TradeOrder;
  /** The rows belong to an earlier view. */
  isOld?: boolean;
  onView: (view: TradeOrder & { offset: 0 }) => void;
}

/** A table of closed trades, in the order of a column that the user chooses. */
export function TradeRows({ trades, view, isOld = false, onView }: TradeRowsProps) {
  const sortBy = (sort: TradeColumn) => {
    const order = view.sort === sort && view.order === 'desc' ? 'asc' : 'desc';
    onView({ sort, order, offset: 0 });
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
    <section className={styles.scroll} tabIndex={0} aria-label="Closed trades" aria-busy={isOld}>
      <table className={styles.table}>
        <thead>
          <tr>
            {COLUMNS.map(([column, label]) => (
              <SortHead key={column} label={label} order={view.sort === column ? view.order : undefined} onSort={() => sortBy(column)} />
            ))}
          </tr>
        </thead>
        <tbody>
          {trades.map((trade) => (
            <tr key={trade.id}>
              {COLUMNS.map(([column, label, cell]) => (
                <td key={column} data-label={label}>
                  {cell(trade)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface SortHeadProps {
  label: string;
  /** Undefined for another column. */
  order: TradeOrder['order'] | undefined;
  onSort: () => void;
}

const SortHead = ({ label, order, onSort }: SortHeadProps) => (
  <th scope="col" aria-sort={order && (order === 'asc' ? 'ascending' : 'descending')}>
    <button type="button" className={styles.sort} onClick={onSort}>
      {label}
      {order && <Icon name={order === 'asc' ? 'arrow-up' : 'arrow-down'} size={16} />}
    </button>
  </th>
);
