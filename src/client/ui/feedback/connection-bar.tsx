import { createContext, type ReactNode, useEffect, useState } from 'react';
import styles from './connection-bar.module.css';

type Connection = 'online' | 'offline';

const MESSAGES: Record<Connection, string> = {
  online: 'Back online',
  offline: 'You are offline. What is saved stays readable.',
};

const SHOWN_MS = 4_000;

/** What page headers show over their titles: no other place has neither a control nor content under it. */
export const HeaderNote = createContext<ReactNode>(null);

/**
 * Announces a change of the connection for four seconds, to screen readers and in the headers of the pages inside. A colored line under the
 * header stays until the connection is back. Nothing moves.
 */
export function ConnectionBar({ state, children }: { state: Connection; children?: ReactNode }) {
  const [announced, setAnnounced] = useState<Connection>('online');
  const changed = announced !== state;
  const text = MESSAGES[state];

  useEffect(() => {
    if (!changed) return;
    const end = setTimeout(() => setAnnounced(state), SHOWN_MS);
    return () => clearTimeout(end);
  }, [changed, state]);

  return (
    <>
      <div className={styles.place} role="status">
        {(changed || state !== 'online') && (
          <div className={styles.line} data-state={state}>
            <span className="sr-only">{text}</span>
          </div>
        )}
      </div>
      <HeaderNote
        value={
          changed && (
            // Private: the stored first screen leaves it out.
            <p className={styles.note} data-state={state} data-private aria-hidden>
              <span>{text}</span>
            </p>
          )
        }
      >
        {children}
      </HeaderNote>
    </>
  );
}
