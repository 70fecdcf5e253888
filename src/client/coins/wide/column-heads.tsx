import { classes } from '#client/ui/classes.ts';
import { Icon } from '#client/ui/graphics/icon.tsx';
import type { Period } from '#contract/market/market.ts';
import { PERIOD_LABELS } from '#domain/market/list-address.ts';
import type { SortKey } from '#domain/market/sort-coins.ts';
import rowStyles from '../coin-columns.module.css';
import styles from './column-heads.module.css';
import { columnPeriods } from './column-periods.ts';

interface ColumnHeadsProps {
  /** Period of the change. */
  period: Period;
  /** The sorted column, with a minus for the lowest first; empty for the ranking's order. */
  sort: string;
  onSort: (sort: string) => void;
}

/** Returns the order after a click: highest first (names: A first), the reverse, the ranking's order. */
const nextSort = (key: SortKey, sort: string): string => {
  const orders = key === 'name' ? [`-${key}`, key, ''] : [key, `-${key}`, ''];
  return orders[orders.indexOf(sort) + 1] ?? orders[0] ?? '';
};

/** The headings of the columns, which sort the list. */
export const ColumnHeads = ({ period, sort, onSort }: ColumnHeadsProps) => {
  const head = (key: SortKey, label: string) => {
    const order = sort === key ? 'descending' : sort === `-${key}` ? 'ascending' : 'none';
    return (
      // biome-ignore lint/a11y/useFocusableInteractive: the button inside has the focus
      // biome-ignore lint/a11y/useSemanticElements: the rows are links in a list, not a table
      <span key={key} role="columnheader" aria-sort={order}>
        <button type="button" className={styles.head} onClick={() => onSort(nextSort(key, sort))}>
          {label}
          {order !== 'none' && <Icon name={order === 'ascending' ? 'arrow-up' : 'arrow-down'} size={14} />}
        </button>
      </span>
    );
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: see above
    <div role="table" aria-label="Sort the coins">
      {/* biome-ignore lint/a11y/useFocusableInteractive: rows of a table are not focused */}
      {/* biome-ignore lint/a11y/useSemanticElements: see above */}
      <div role="row" className={classes(rowStyles.wide, styles.heads)}>
        {head('name', 'Coin')}
        {head('price', 'Price')}
        {columnPeriods(period).map((column) => head(column, PERIOD_LABELS[column]))}
        {head('volume', 'Volume')}
        {head('cap', 'MCap')}
        {/* biome-ignore lint/a11y/useFocusableInteractive: nothing to do */}
        {/* biome-ignore lint/a11y/useSemanticElements: see above */}
        <span role="columnheader">7 days</span>
      </div>
    </div>
  );
};
