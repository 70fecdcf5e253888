import { classes } from '#client/ui/classes.ts';
import type { Period } from '#contract/market/market.ts';
import { PERIOD_LABELS } from '#domain/market/list-address.ts';
import styles from '../coin-table.module.css';

/** The headings of price, change and market cap above rows with a button. Hidden from screen readers: each figure has its own label. */
export const PlainHeads = ({ period }: { period: Period }) => (
  <div className={classes(styles.columns, styles.ended)} aria-hidden="true">
    <span>Coin</span>
    <span>Price</span>
    <span>{PERIOD_LABELS[period]}</span>
    <span>Market cap</span>
  </div>
);
