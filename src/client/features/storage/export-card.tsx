import { useState } from 'react';
import { PRODUCT } from '../../../domain/product';
import { errorMessage } from '../../platform/api/errors';
import { userDb } from '../../platform/db/user-db';
import { useReachable } from '../../platform/live/use-reachable';
import { useBusy } from '../../platform/pwa/busy';
import { useClaims } from '../../platform/session/use-session';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { FormError } from '../../ui/form-error';
import { type Export, exportData } from './export-data';
import { saveFile } from './save-file';
import styles from './storage-page.module.css';

type State = { is: 'idle' } | { is: 'busy'; told: string } | { is: 'done'; source: Export['source'] } | { is: 'failed'; why: unknown };

/** A copy of all that is the user's, as a file. */
export function ExportCard() {
  const userId = useClaims().sub;
  const offline = !useReachable();
  const [state, setState] = useState<State>({ is: 'idle' });
  useBusy(state.is === 'busy');

  const run = async () => {
    setState({ is: 'busy', told: 'Collecting your data…' });
    try {
      const onProgress = (done: number, total: number) => setState({ is: 'busy', told: `${done} of ${total} chats` });
      const { source, content } = await exportData({ db: userDb(userId), userId, onProgress });
      saveFile(`${PRODUCT.toLowerCase()}-${new Date().toISOString().slice(0, 10)}.json`, content);
      setState({ is: 'done', source });
    } catch (why) {
      setState({ is: 'failed', why });
    }
  };

  return (
    <Card className={styles.card}>
      <h2 className={styles.heading}>A copy of your data</h2>
      <p className={styles.quiet}>
        Profile, chats, watchlist, notifications and messages to support, as one JSON file. Pictures are not in it, and neither is anything
        secret.
      </p>
      {offline && <p className={styles.quiet}>You are offline: the file holds only what is on this device.</p>}
      <Button variant="secondary" block busy={state.is === 'busy'} onClick={() => void run()}>
        Export my data
      </Button>
      <p className={styles.quiet} role="status">
        {state.is === 'busy' && state.told}
        {state.is === 'done' &&
          (state.source === 'server'
            ? 'Saved, with all that the server has.'
            : 'Saved, with what is on this device. The server could not be reached.')}
      </p>
      {state.is === 'failed' && <FormError>{errorMessage(state.why)} Nothing was saved.</FormError>}
    </Card>
  );
}
