import type { ReactNode } from 'react';
import type { Period } from '#contract/market/market.ts';
import { PERIOD_LABELS } from '#domain/market/list-address.ts';
import { classes } from '../ui/classes.ts';
import styles from './coin-table.module.css';

interface CoinTableProps {
  /** Period of the price changes. */
  period: Period;
  /** Whether a new list is loading. */
  busy?: boolean;
  /** Whether the rows have a button at the end. */
  ended?: boolean;
  children: ReactNode;
}

/** Lays out a list of coins. On wide screens the figures are in columns with headings. */
export const CoinTable = ({ period, busy, ended, children }: CoinTableProps) => (
  <div className={styles.table} aria-busy={busy}>
    {/* Hidden from screen readers: each figure has its own label. */}
    <div className={classes(styles.columns, ended && styles.ended)} aria-hidden="true">
      <span>Coin</span>
      <span>Price</span>
      <span>{PERIOD_LABELS[period]}</span>
      <span>Market cap</span>
    </div>
    {children}
  </div>
);
