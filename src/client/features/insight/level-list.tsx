import type { Indicator } from '#contract/market/indicator.ts';
import { formatCount } from '#domain/format/format-count.ts';
import { formatUsd } from '#domain/format/format-number.ts';
import styles from './level-list.module.css';
import { nearestLevels, strengthLabel } from './levels.ts';

/** Levels listed on each side of the price. */
const COUNT = 4;

/** Lists the levels around the price, highest first, as a text version of the chart. */
export function LevelList({ indicator: { levels, candles } }: { indicator: Indicator }) {
  const near = nearestLevels(levels, candles.at(-1)?.close ?? 0, COUNT);
  if (near.length === 0) return <p className={styles.none}>No levels in these candles.</p>;
  return (
    <ul className={styles.levels} aria-label="Levels around the price">
      {near.map(({ kind, price, touches, strength }) => (
        <li key={`${kind} ${price}`} className={styles.level} data-kind={kind}>
          <span>{kind === 'support' ? 'Support' : 'Resistance'}</span>
          <span className={styles.at}>{formatUsd(price)}</span>
          <span className={styles.strength}>
            {strengthLabel(strength)}, {formatCount(touches, 'touch', 'touches')}
          </span>
          <span className={styles.meter} style={{ width: `${Math.round(strength * 100)}%` }} />
        </li>
      ))}
    </ul>
  );
}
