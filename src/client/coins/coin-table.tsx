import type { ReactNode } from 'react';
import type { Period } from '#contract/market/market.ts';
import { PERIOD_LABELS } from '#domain/market/list-address.ts';
import { classes } from '../ui/classes.ts';
import styles from './coin-table.module.css';

interface CoinTableProps {
  /** Of the changes. */
  period: Period;
  /** Other coins are on their way. */
  busy?: boolean;
  /** Its rows have a button at the end. */
  ended?: boolean;
  children: ReactNode;
}

/** The place of a list of coins: where there is room, its figures have columns and these have headings. */
export const CoinTable = ({ period, busy, ended, children }: CoinTableProps) => (
  <div className={styles.table} aria-busy={busy}>
    {/* Each figure also says what it is. */}
    <div className={classes(styles.columns, ended && styles.ended)} aria-hidden="true">
      <span>Coin</span>
      <span>Price</span>
      <span>{PERIOD_LABELS[period]}</span>
      <span>Market cap</span>
    </div>
    {children}
  </div>
);
