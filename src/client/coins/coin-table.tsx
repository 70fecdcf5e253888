import type { ReactNode } from 'react';
import styles from './coin-table.module.css';

interface CoinTableProps {
  /** Whether a new list is loading. */
  busy?: boolean;
  /** Headings of the columns that wide screens have. */
  heads?: ReactNode;
  children: ReactNode;
}

/** Lays out a list of coins. On wide screens the figures are in columns with headings. */
export const CoinTable = ({ busy, heads, children }: CoinTableProps) => (
  <div className={styles.table} aria-busy={busy}>
    {heads}
    {children}
  </div>
);
