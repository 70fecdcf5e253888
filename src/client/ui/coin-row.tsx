import { memo } from 'react';
import type { Currency } from '../../contract/market';
import { formatSymbol } from '../../domain/format-number';
import { CoinIcon } from './coin-icon';
import styles from './coin-row.module.css';
import { Change, Price } from './price';
import { Skeleton } from './skeleton';

interface CoinRowProps {
  id: number;
  /** The coin's page. */
  href: string;
  name: string;
  symbol: string;
  price: number | undefined;
  /** Of the price. */
  currency: Currency;
  /** Percent. */
  change: number | undefined;
  /** Market cap as it is written. */
  cap: string;
  /** Open beside the list. */
  current: boolean;
}

/** One coin of the list. Plain values as props, so that a poll draws only the rows that moved. */
export const CoinRow = memo(function CoinRow({ id, href, name, symbol, price, currency, change, cap, current }: CoinRowProps) {
  return (
    <li className={styles.item}>
      <a className={styles.row} href={href} aria-current={current ? 'page' : undefined}>
        <CoinIcon id={id} name={name} symbol={symbol} size={36} />
        <bdi className={styles.name}>{name}</bdi>
        <bdi className={styles.symbol}>{formatSymbol(symbol)}</bdi>
        <span className={styles.cap}>
          <span className={styles.capLabel}>MCap </span>
          {cap}
        </span>
        <span className={styles.price}>
          <Price value={price} currency={currency} />
        </span>
        <span className={styles.change}>
          <Change value={change} />
        </span>
      </a>
    </li>
  );
});

/** The outline of a row while the device is read. */
export const coinRowOutline = (
  <span className={styles.item}>
    <span className={styles.row}>
      <Skeleton width={36} height={36} radius="50%" />
      <span className={styles.name}>
        <Skeleton width={120} height={16} />
      </span>
      <span className={styles.symbol}>
        <Skeleton width={72} height={12} />
      </span>
      <span className={styles.price}>
        <Skeleton width={84} height={16} />
      </span>
      <span className={styles.change}>
        <Skeleton width={52} height={12} />
      </span>
    </span>
  </span>
);
