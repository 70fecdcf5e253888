import type { Firing } from '#contract/alerts/alert.ts';
import { formatDateTime } from '#domain/format/format-date.ts';
import { formatUsd } from '#domain/format/format-number.ts';
import { firingText } from './alert-texts.ts';
import styles from './alerts.module.css';

/** Lists when and where alerts fired. Each row opens its coin with the level on the chart. */
export const AlertHistory = ({ firings }: { firings: readonly Firing[] }) => (
  <ul aria-label="History of alerts">
    {firings.map((firing) => (
      <li key={firing.id}>
        <a className={styles.fired} href={`/crypto/details/${firing.coin.id}?alert=${firing.id}`}>
          <bdi className={styles.rule}>{firingText(firing)}</bdi>
          {firing.note !== '' && <bdi className={styles.note}>{firing.note}</bdi>}
          <span className={styles.quiet}>
            <time dateTime={firing.at}>{formatDateTime(firing.at)}</time>
            {firing.kind !== 'percent' && ` · ${firing.kind === 'above' ? 'Above' : 'Below'} ${levelText(firing)}`} · {firing.source}
          </span>
        </a>
      </li>
    ))}
  </ul>
);

const levelText = ({ level, level_name }: Firing): string => (level_name ? `${level_name}, ${formatUsd(level)}` : formatUsd(level));
