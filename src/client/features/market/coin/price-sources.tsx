import { formatPrice } from '#client/coins/money/money.ts';
import { useMinutes } from '#client/ui/hooks/use-minutes.ts';
import { formatAge } from '#client/ui/labels/format-age.ts';
import type { CryptoDetails } from '#contract/market/coin-details.ts';
import type { MarketSource } from '#contract/market/market.ts';
import styles from './price-sources.module.css';

interface PriceSourcesProps {
  source: MarketSource;
  details: CryptoDetails;
}

/** Explains where the figures of a coin come from: source, exchanges with their prices and ages, spread, and what is estimated. */
export function PriceSources({ source, details: { sources = [], spread, market_cap_estimated } }: PriceSourcesProps) {
  const now = useMinutes();
  return (
    <details className={styles.details}>
      <summary className={styles.summary}>Where does this number come from?</summary>
      <div className={styles.body}>
        <p>
          {source.demo ? 'These are demo figures, not market prices. Source: ' : 'Source: '}
          <bdi>{source.name}</bdi>.
        </p>
        {sources.length > 0 && (
          <>
            <p>
              The price is the median of {sources.length === 1 ? 'one exchange' : `${sources.length} exchanges`}, weighted by volume.
              {spread !== undefined && ` Highest and lowest differ by ${spread.toFixed(2)}%.`}
            </p>
            <ul className={styles.sources}>
              {sources.map(({ name, price, asOf }) => (
                <li key={name} className={styles.source}>
                  <bdi>{name}</bdi>
                  <span className={styles.price}>{formatPrice(price)}</span>
                  <time className={styles.age} dateTime={asOf}>
                    {formatAge(Date.parse(asOf), now)}
                  </time>
                </li>
              ))}
            </ul>
          </>
        )}
        {market_cap_estimated && <p>The market cap is an estimate: the price times the last known supply.</p>}
      </div>
    </details>
  );
}
