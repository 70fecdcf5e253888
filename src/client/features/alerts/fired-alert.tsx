import { useEffect } from 'react';
import { useResource } from '#client/platform/cache/use-resource.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { SPARKLE } from '#client/ui/graphics/drawings.ts';
import { Icon } from '#client/ui/graphics/icon.tsx';
import type { Firing } from '#contract/alerts/alert.ts';
import { formatDateTime } from '#domain/format/format-date.ts';
import { firingText, levelText, questionOf } from './alert-texts.ts';
import styles from './alerts.module.css';
import { firingsResource } from './alerts-resource.ts';

export interface FiredAlertProps {
  /** Id of the firing in the address. */
  id: string;
  coinId: number;
  /** Receives the level to draw, USD, or none. */
  onLevel: (level: { price: number; title: string } | undefined) => void;
  /** Opens a new chat with a question. */
  onAsk: (userId: string, question: string) => void;
}

/** What the alert that the user opened fired at. It asks the analyst about the move. */
export function FiredAlert({ id, coinId, onLevel, onAsk }: FiredAlertProps) {
  const userId = useClaims().sub;
  const history = useResource(firingsResource, { userId });
  const firing = history.data?.find((each) => each.id === id && each.coin.id === coinId);
  useEffect(() => {
    onLevel(firing && levelOf(firing));
    return () => onLevel(undefined);
  }, [firing, onLevel]);
  if (!firing) {
    return <p className={styles.quiet}>{history.isLoading ? 'Loading your alert' : 'This alert is not in your history.'}</p>;
  }
  const { note, at, source, kind, level, level_name } = firing;
  return (
    <div className={styles.card}>
      <Icon name="bell" size={20} />
      <div className={styles.words}>
        <p className={styles.rule}>
          <bdi>{firingText(firing)}</bdi>
        </p>
        {note !== '' && <bdi className={styles.note}>{note}</bdi>}
        <p className={styles.quiet}>
          <time dateTime={at}>{formatDateTime(at)}</time>
          {kind !== 'percent' && ` · ${levelText(kind, level_name, level)}`} · {source}
        </p>
        <Button variant="secondary" icon={SPARKLE} className={styles.ask} onClick={() => onAsk(userId, questionOf(firing))}>
          Ask about this move
        </Button>
      </div>
    </div>
  );
}

/** An alert in percent has no level of its own: the chart marks the price at which it fired. */
const levelOf = ({ kind, level, level_name, price }: Firing) =>
  kind === 'percent' ? { price, title: 'Alert' } : { price: level, title: level_name ?? 'Alert' };
