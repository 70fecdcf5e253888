import styles from './price-line.module.css';

const STEP = 4;
const HEIGHT = 28;

/** The line of prices, oldest first. Decorative: the change beside it is text. */
export function PriceLine({ prices }: { prices: readonly number[] }) {
  const low = Math.min(...prices);
  const scale = (HEIGHT - 4) / (Math.max(...prices) - low || 1);
  const path = prices.map((price, at) => `${at * STEP} ${Math.round(HEIGHT - 2 - (price - low) * scale)}`).join('L');
  return (
    <svg
      className={styles.line}
      viewBox={`0 0 92 ${HEIGHT}`}
      data-way={(prices.at(-1) ?? 0) < (prices[0] ?? 0) ? 'down' : 'up'}
      aria-hidden="true"
    >
      <path d={`M${path}`} />
    </svg>
  );
}
