import { liveQuery } from 'dexie';
import { useEffect, useState } from 'react';
import { deviceDb } from '#client/platform/db/device-db.ts';
import styles from './pending-sign-out.module.css';

/** Tells the user while the server does not know of a sign-out on this device. */
export function PendingSignOut() {
  const [isPending, setPending] = useState(false);
  useEffect(() => {
    const count = liveQuery(() => deviceDb.revocations.filter(({ tried }) => tried).count());
    const live = count.subscribe({ next: (rows) => setPending(rows > 0), error: () => setPending(false) });
    return () => live.unsubscribe();
  }, []);
  return (
    <p className={styles.pending} role="status">
      {isPending && 'Signed out on this device. We’ll end the session on the server when it answers.'}
    </p>
  );
}
