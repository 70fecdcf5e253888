import type { ReactNode } from 'react';
import { ticks } from '#client/platform/live/coin-ticks.ts';
import { SkeletonRows } from '#client/ui/feedback/skeleton.tsx';
import type { CryptoItem } from '#contract/market/market.ts';
import { CoinRow, coinRowOutline } from '../coin-row.tsx';
import { PriceLine } from '../wide/price-line.tsx';
import styles from './coin-panel.module.css';

interface CoinPanelProps {
  label: string;
  /** Undefined while they load. */
  coins: readonly CryptoItem[] | undefined;
  /** Rows to reserve. */
  rows: 5 | 6;
  /** Shown without coins. */
  empty: ReactNode;
}

/** A few coins with their live prices in USD and changes of 24 hours. */
export const CoinPanel = ({ label, coins, rows, empty }: CoinPanelProps) => (
  <div className={styles.rows} data-room={rows}>
    {!coins && <SkeletonRows count={rows} row={coinRowOutline} />}
    {coins?.length === 0 && empty}
    {coins && coins.length > 0 && (
      <ul aria-label={label}>
        {coins.map((coin) => (
          <CoinRow
            key={coin.id}
            coin={coin}
            currency="USD"
            period="24h"
            href={`/crypto/details/${coin.id}`}
            current={false}
            ticks={ticks}
            Line={PriceLine}
          />
        ))}
      </ul>
    )}
  </div>
);
