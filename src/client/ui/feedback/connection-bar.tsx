import { useEffect, useState } from 'react';
import styles from './connection-bar.module.css';

type Connection = 'online' | 'offline' | 'reconnecting';

const MESSAGES: Record<Connection, string> = {
  online: 'Back online',
  offline: 'You are offline. What is saved stays readable.',
  reconnecting: 'Reconnecting…',
};

const SHOWN_MS = 4_000;

/**
 * Announces a change of the connection under the header, on top of the page so that nothing moves. After four seconds the
 * text hides; a colored line stays until the connection is back.
 */
export function ConnectionBar({ state }: { state: Connection }) {
  const [announced, setAnnounced] = useState<Connection>('online');
  const changed = announced !== state;

  useEffect(() => {
    if (!changed) return;
    const end = setTimeout(() => setAnnounced(state), SHOWN_MS);
    return () => clearTimeout(end);
  }, [changed, state]);

  return (
    <div className={styles.place} role="status">
      {(changed || state !== 'online') && (
        <div className={styles.bar} data-state={state} data-announced={!changed}>
          <span className={changed ? undefined : 'sr-only'}>{MESSAGES[state]}</span>
        </div>
      )}
    </div>
  );
}
