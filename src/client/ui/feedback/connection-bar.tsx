import { useEffect, useState } from 'react';
import styles from './connection-bar.module.css';

type Connection = 'online' | 'offline' | 'reconnecting';

const WORDS: Record<Connection, string> = {
  online: 'Back online',
  offline: 'You are offline. What is saved stays readable.',
  reconnecting: 'Reconnecting…',
};

const TOLD_MS = 4_000;

/**
 * Tells a change of the connection under the header, over the page so that nothing moves. After a moment the words leave;
 * a coloured line stays until the connection is back.
 */
export function ConnectionBar({ state }: { state: Connection }) {
  const [told, setTold] = useState<Connection>('online');
  const changed = told !== state;

  useEffect(() => {
    if (!changed) return;
    const end = setTimeout(() => setTold(state), TOLD_MS);
    return () => clearTimeout(end);
  }, [changed, state]);

  return (
    <div className={styles.place} role="status">
      {(changed || state !== 'online') && (
        <div className={styles.bar} data-state={state} data-told={!changed}>
          <span className={changed ? undefined : 'sr-only'}>{WORDS[state]}</span>
        </div>
      )}
    </div>
  );
}
