import { CoinIcon } from '#client/coins/coin-icon.tsx';
import { formatCount } from '#domain/format/format-count.ts';
import { formatSymbol } from '#domain/format/format-number.ts';
import styles from './import-sheet.module.css';
import type { ImportPlan } from './match-coins.ts';

export interface Preview {
  plan: ImportPlan;
  /** Some entries were searched on this device only. */
  isPartial: boolean;
  /** Coins that a watchlist holds. */
  max: number;
}

/** Entries without a coin that are named. Others are counted. */
const MAX_NAMED = 10;

/** Shows which coins of a file will be added, and which entries are left out and why. */
export function ImportPreview({ preview: { plan, isPartial, max } }: { preview: Preview }) {
  const { add, already, over, unknown, ambiguous } = plan;
  return (
    <>
      <h3 className={styles.heading}>{add.length > 0 ? `Adds ${formatCount(add.length, 'coin')}` : 'Nothing to add'}</h3>
      {add.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the list
        <ul className={styles.coins} aria-label="Coins to add" tabIndex={0}>
          {add.map(({ id, symbol, name }) => (
            <li key={id} className={styles.coin}>
              <CoinIcon id={id} name={name} symbol={symbol} size={24} />
              <bdi className={styles.name}>{name}</bdi>
              <bdi className={styles.symbol}>{formatSymbol(symbol)}</bdi>
            </li>
          ))}
        </ul>
      )}
      <ul className={styles.notes}>
        {already > 0 && <li>{formatCount(already, 'coin')} already in your watchlist.</li>}
        {over > 0 && (
          <li>
            {formatCount(over, 'coin')} left out: a watchlist holds up to {max}.
          </li>
        )}
        {unknown.length > 0 && <li>Not found, left out: {named(unknown)}.</li>}
        {ambiguous.length > 0 && <li>Several coins have this symbol, left out: {named(ambiguous)}. Add a name or an id.</li>}
        {isPartial && <li>Some entries were searched on this device only.</li>}
      </ul>
    </>
  );
}

function named(labels: readonly string[]): string {
  const shown = labels.slice(0, MAX_NAMED).map((label) => (label.length > 24 ? `${label.slice(0, 24)}…` : label));
  const more = labels.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more.toLocaleString('en-US')} more` : '');
}
