import { classes } from '#client/ui/classes.ts';
import { PENCIL, REFRESH, TRASH } from '#client/ui/graphics/drawings.ts';
import { Icon } from '#client/ui/graphics/icon.tsx';
import { MenuButton } from '#client/ui/overlays/menu.tsx';
import { formatDateTime } from '#domain/format/format-date.ts';
import { coinName, ruleText, stateText, titleOf } from './alert-texts.ts';
import styles from './alerts.module.css';
import type { ShownAlert } from './alerts-resource.ts';

interface AlertRowProps {
  alert: ShownAlert;
  /** Names the coin, and links to it. */
  hasCoin: boolean;
  /** ms UTC. */
  now: number;
  onEdit: () => void;
  onPause: (paused: boolean) => void;
  onDelete: () => void;
}

/** One alert, with its actions. */
export function AlertRow({ alert, hasCoin, now, onEdit, onPause, onDelete }: AlertRowProps) {
  const { coin, note, paused, rearms, expires_at, isUnsent } = alert;
  const state = stateText(alert, now);
  const details = [rearms && 'Repeats', expires_at !== null && state.isActive && `Until ${formatDateTime(expires_at)}`].filter(Boolean);
  return (
    <li className={styles.row}>
      <span className={styles.words}>
        {hasCoin &&
          (coin ? (
            <a className={styles.coin} href={`/crypto/details/${coin.id}`}>
              <bdi>{coinName(alert)}</bdi>
            </a>
          ) : (
            <span className={styles.coin}>Every coin of the watchlist</span>
          ))}
        <span className={styles.rule}>{ruleText(alert)}</span>
        {note !== '' && <bdi className={styles.note}>{note}</bdi>}
        <span className={classes(styles.quiet, state.isActive && styles.active)}>{[state.text, ...details].join(' · ')}</span>
        {isUnsent && (
          <span className={styles.unsent}>
            <Icon name="clock" size={16} />
            Not sent yet
          </span>
        )}
      </span>
      <MenuButton
        label={`Actions of the alert ${titleOf(alert)}`}
        items={[
          { name: 'Edit', icon: PENCIL, onChoose: onEdit },
          paused
            ? { name: 'Resume', icon: REFRESH, onChoose: () => onPause(false) }
            : { name: 'Pause', icon: 'clock', onChoose: () => onPause(true) },
          { name: 'Delete', icon: TRASH, danger: true, onChoose: onDelete },
        ]}
      />
    </li>
  );
}
