import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '#client/platform/api/errors.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { useBusy } from '#client/platform/pwa/busy.ts';
import { saveFile } from '#client/platform/save-file.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { Progress } from '#client/ui/feedback/progress.tsx';
import { FormError } from '#client/ui/fields/form-error.tsx';
import { dayOf } from '#domain/clock.ts';
import { formatBytes } from '#domain/format/format-bytes.ts';
import { PRODUCT } from '#domain/product.ts';
import { downloadExport } from './download-export.ts';
import styles from './export-card.module.css';
import { exportData } from './export-data.ts';
import { StorageCard } from './storage-card.tsx';

type State =
  | { is: 'idle' | 'canceled' }
  /** `received`: bytes. Only downloads have `cancel`. */
  | { is: 'busy'; received: number; cancel?: () => void }
  | { is: 'done'; message: string }
  | { is: 'failed'; error: unknown };

/** Exports the user's data as a file: all of it from the server, or offline the part on this device. */
export function ExportCard() {
  const userId = useClaims().sub;
  const isOnline = useReachable();
  const [state, setState] = useState<State>({ is: 'idle' });
  const download = useRef<AbortController>(undefined);
  const button = useRef<HTMLButtonElement>(null);
  const isBusy = state.is === 'busy';
  useBusy(isBusy);
  useEffect(() => () => download.current?.abort(), []);

  const fromServer = (signal: AbortSignal) => {
    const cancel = () => {
      // The cancel button disappears, and the focus with it.
      button.current?.focus();
      download.current?.abort();
    };
    setState({ is: 'busy', received: 0, cancel });
    return downloadExport({ userId, signal, onProgress: (received) => setState({ is: 'busy', received, cancel }) });
  };
  const fromDevice = async () => {
    setState({ is: 'busy', received: 0 });
    const content = await exportData({ db: userDb(userId), userId });
    return new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' });
  };

  const run = async () => {
    const ending = new AbortController();
    download.current = ending;
    try {
      const file = await (isOnline ? fromServer(ending.signal) : fromDevice());
      saveFile(`${PRODUCT.toLowerCase()}-${dayOf(Date.now())}.${isOnline ? 'zip' : 'json'}`, file);
      setState({ is: 'done', message: isOnline ? 'Saved, with all data from the server.' : 'Saved, with the data on this device.' });
    } catch (error) {
      setState(ending.signal.aborted ? { is: 'canceled' } : { is: 'failed', error });
    }
  };

  return (
    <StorageCard title="A copy of your data">
      <p className={styles.quiet}>
        {isOnline
          ? 'Download everything you made, with bots and pictures, as one ZIP file. It has no passwords, exchange keys or unsent drafts.'
          : 'You are offline. The file has only the data on this device, without pictures.'}
      </p>
      <Button ref={button} variant="secondary" block busy={isBusy} onClick={() => void run()}>
        Export my data
      </Button>
      {state.is === 'busy' && state.cancel && (
        <div className={styles.download}>
          <Progress value={null} aria-label="Export" />
          <p className={styles.quiet}>{state.received === 0 ? 'Collecting your data…' : `${formatBytes(state.received)} received`}</p>
          <Button variant="ghost" block onClick={state.cancel}>
            Cancel export
          </Button>
        </div>
      )}
      <p className={styles.quiet} role="status">
        {state.is === 'done' && state.message}
        {state.is === 'canceled' && 'Canceled. Nothing was saved.'}
      </p>
      {state.is === 'failed' && <FormError>{errorMessage(state.error)} Nothing was saved.</FormError>}
    </StorageCard>
  );
}
