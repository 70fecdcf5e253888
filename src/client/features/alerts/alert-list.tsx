import { useEffect, useRef, useState } from 'react';
import { userDb } from '#client/platform/db/user-db.ts';
import { retry } from '#client/platform/outbox/outbox.ts';
import { sendSoon } from '#client/platform/outbox/start-lanes.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { Icon } from '#client/ui/graphics/icon.tsx';
import { useMinutes } from '#client/ui/hooks/use-minutes.ts';
import { ALERTS, type AlertCommand } from './alert-commands.ts';
import { AlertRow } from './alert-row.tsx';
import { titleOf } from './alert-texts.ts';
import styles from './alerts.module.css';
import type { ShownAlert } from './alerts-resource.ts';
import { deleteAlert, discardRefused, pauseAlert, restoreAlert } from './change-alerts.ts';
import { type CoinFigures, useCoinFigures } from './coin-figures.ts';
import { AlertDialog } from './form/alert-dialog.tsx';

interface AlertListProps {
  /** Newest first. */
  alerts: readonly ShownAlert[];
  label: string;
  /** Whether rows name their coin. */
  hasCoins?: boolean;
}

/** Lists alerts. A deleted one leaves Undo in its place until the user leaves the list. */
export function AlertList({ alerts, label, hasCoins = false }: AlertListProps) {
  const userId = useClaims().sub;
  const db = userDb(userId);
  const now = useMinutes();
  const [deleted, setDeleted] = useState<readonly ShownAlert[]>([]);
  const [edited, edit] = useState<ShownAlert>();
  const list = useRef<HTMLUListElement>(null);
  /** The alert whose row lost the focus with its menu or with Undo. */
  const touched = useRef<string>(undefined);
  const present = new Set(alerts.map(({ id }) => id));
  const rows = [...alerts, ...deleted.filter(({ id }) => !present.has(id))].sort((a, b) => (a.created_at < b.created_at ? 1 : -1));

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the rows change
  useEffect(() => {
    if (touched.current === undefined || document.activeElement !== document.body) return;
    const at = rows.findIndex(({ id }) => id === touched.current);
    list.current?.children[at]?.querySelector<HTMLElement>('button')?.focus();
    touched.current = undefined;
  }, [alerts, deleted]);

  function remove(alert: ShownAlert) {
    touched.current = alert.id;
    setDeleted((before) => [...before.filter(({ id }) => id !== alert.id), alert]);
    void deleteAlert(db, userId, alert);
  }

  function undo(alert: ShownAlert) {
    touched.current = alert.id;
    void restoreAlert(db, userId, alert).then(() => setDeleted((before) => before.filter(({ id }) => id !== alert.id)));
  }

  return (
    <>
      <ul ref={list} aria-label={label}>
        {rows.map((alert) =>
          present.has(alert.id) ? (
            <AlertRow
              key={alert.id}
              alert={alert}
              hasCoin={hasCoins}
              now={now}
              onEdit={() => edit(alert)}
              onPause={(paused) => void pauseAlert(db, userId, alert, paused)}
              onDelete={() => remove(alert)}
            />
          ) : (
            <li key={`deleted-${alert.id}`} className={styles.deleted}>
              <p className={styles.deletedText}>
                <bdi>{titleOf(alert)}</bdi> deleted
              </p>
              <Button variant="ghost" onClick={() => undo(alert)} aria-label={`Undo deleting ${titleOf(alert)}`}>
                Undo
              </Button>
            </li>
          ),
        )}
      </ul>
      {edited && <EditDialog alert={edited} onClose={() => edit(undefined)} />}
    </>
  );
}

function EditDialog({ alert, onClose }: { alert: ShownAlert; onClose: () => void }) {
  const figures: CoinFigures = useCoinFigures(alert.coin?.id);
  return <AlertDialog coin={alert.coin} {...figures} alert={alert} onClose={onClose} />;
}

/** Lists changes that the server refused, with the reason. */
export function RefusedAlerts({ refused }: { refused: readonly AlertCommand[] }) {
  const db = userDb(useClaims().sub);
  return refused.map(({ id, body, reason }) => (
    <div key={id} className={styles.refused} role="status">
      <Icon name="warning" size={20} />
      <p>
        <bdi>{body.title}</bdi> was not saved. {reason}
      </p>
      <div className={styles.actions}>
        <Button variant="ghost" onClick={() => void retry(db, id).then(() => sendSoon(ALERTS))}>
          Retry
        </Button>
        <Button variant="ghost" onClick={() => void discardRefused(db, body.id)}>
          Discard
        </Button>
      </div>
    </div>
  ));
}
