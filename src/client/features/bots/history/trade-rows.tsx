import type { ReactNode } from 'react';
import { useAmounts } from '#client/platform/device-choices/hidden-amounts.ts';
import { Icon } from '#client/ui/graphics/icon.tsx';
import type { BotTrade } from '#contract/bots/bot.ts';
import type { TradeColumn } from '#contract/bots/trade-history.ts';
import { type AmountTexts, formatAmount } from '#domain/bots/bot-amounts.ts';
import { Gain } from '../summary/gain.tsx';
import { type WideColumn, WideTable } from '../wide-table.tsx';
import type { TradesView } from './history-resources.ts';
import styles from './trade-rows.module.css';

const time = new Intl.DateTimeFormat('en', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

const when = (at: string): ReactNode => <time dateTime={at}>{time.format(Date.parse(at))}</time>;

const columnsOf = ({ quantity: btc, amount, gain }: AmountTexts): readonly (WideColumn<BotTrade> & { column: TradeColumn })[] => [
  { column: 'closed_at', label: 'Closed', cell: ({ closed_at }) => when(closed_at) },
  { column: 'side', label: 'Side', cell: ({ side }) => (side === 'long' ? 'Long' : 'Short') },
  { column: 'quantity', label: 'Quantity', cell: ({ quantity }) => btc(quantity) },
  { column: 'entry_price', label: 'Entry', cell: ({ entry_price }) => formatAmount(entry_price) },
  { column: 'exit_price', label: 'Exit', cell: ({ exit_price }) => formatAmount(exit_price) },
  { column: 'pnl', label: 'Profit', cell: ({ pnl }) => <Gain usd={pnl} /> },
  { column: 'fees', label: 'Fees', cell: ({ fees }) => amount(fees) },
  { column: 'funding', label: 'Funding', cell: ({ funding }) => gain(funding) },
  { column: 'reason', label: 'Reason', cell: ({ reason }) => reason },
  { column: 'opened_at', label: 'Opened', cell: ({ opened_at }) => when(opened_at) },
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
  const columns = columnsOf(useAmounts());
  const sortBy = (sort: TradeColumn) => {
    const order = view.sort === sort && view.order === 'desc' ? 'asc' : 'desc';
    onView({ sort, order, offset: 0 });
  };
  return (
    <WideTable
      label="Closed trades"
      columns={columns}
      rows={trades}
      keyOf={({ id }) => id}
      maxHeight={560}
      heads={columns.map(({ column, label }) => (
        <SortHead key={column} label={label} order={view.sort === column ? view.order : undefined} onSort={() => sortBy(column)} />
      ))}
      isOld={isOld}
    />
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
