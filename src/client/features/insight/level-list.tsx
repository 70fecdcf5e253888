import type { Indicator, IndicatorLevel } from '#contract/market/indicator.ts';
import { formatCount } from '#domain/format/format-count.ts';
import { formatPercent, formatUsd } from '#domain/format/format-number.ts';
import styles from './level-list.module.css';
import { nearestLevels, strengthLabel } from './levels.ts';

/** Levels listed on each side of the price. */
const COUNT = 4;

/** Lists the price and the levels around it, highest first, as a text version of the chart. */
export function LevelList({ indicator: { levels, candles } }: { indicator: Indicator }) {
  const now = candles.at(-1)?.close ?? 0;
  const near = nearestLevels(levels, now, COUNT);
  if (near.length === 0) return <p className={styles.none}>No levels in these candles.</p>;
  const above = near.filter(({ price }) => price >= now);
  return (
    <ul className={styles.levels} aria-label="Levels around the price">
      {above.map((level) => (
        <Level key={`${level.kind} ${level.price}`} level={level} now={now} />
      ))}
      <li className={styles.level} data-kind="price">
        <span>Price</span>
        <span className={styles.at}>{formatUsd(now)}</span>
      </li>
      {near.slice(above.length).map((level) => (
        <Level key={`${level.kind} ${level.price}`} level={level} now={now} />
      ))}
    </ul>
  );
}

/** A level, with its distance to the price. */
const Level = ({ level: { kind, price, touches, strength }, now }: { level: IndicatorLevel; now: number }) => (
  <li className={styles.level} data-kind={kind}>
    <span>{kind === 'support' ? 'Support' : 'Resistance'}</span>
    <span className={styles.at}>{formatUsd(price)}</span>
    <span className={styles.strength}>
      {formatPercent((price / now - 1) * 100)} {price < now ? 'below' : 'above'}, {strengthLabel(strength)},{' '}
      {formatCount(touches, 'touch', 'touches')}
    </span>
    <span className={styles.meter} style={{ width: `${Math.round(strength * 100)}%` }} />
  </li>
);
