import { type ChangeEvent, useId, useRef, useState } from 'react';
import { userDb } from '#client/platform/db/user-db.ts';
import { sendSoon } from '#client/platform/outbox/start-lanes.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { Progress } from '#client/ui/feedback/progress.tsx';
import { FilePick } from '#client/ui/fields/file-pick.tsx';
import { FormError } from '#client/ui/fields/form-error.tsx';
import { UPLOAD } from '#client/ui/graphics/drawings.ts';
import { Dialog } from '#client/ui/overlays/dialog.tsx';
import { MAX_WATCHLIST_COINS } from '#contract/market/watchlist.ts';
import { formatCount } from '#domain/format/format-count.ts';
import { fromCsv, MAX_CSV } from '#domain/market/watchlist-csv.ts';
import { HEARTS } from '../heart-commands.ts';
import { addHearts } from '../hearts.ts';
import { readWatched } from '../watched.ts';
import { ImportPreview, type Preview } from './import-preview.tsx';
import styles from './import-sheet.module.css';
import { lookUpCoins } from './look-up-coins.ts';
import { matchCoins } from './match-coins.ts';

interface ImportSheetProps {
  onClose: () => void;
}

type State = { step: 'empty' } | { step: 'reading' } | { step: 'failed'; reason: string } | { step: 'read'; preview: Preview };

/** Adds the coins of a CSV file to the watchlist, after it has shown them. */
export function ImportSheet({ onClose }: ImportSheetProps) {
  const userId = useClaims().sub;
  const [state, setState] = useState<State>({ step: 'empty' });
  const input = useId();
  /** The newest file: an older one that is still read must not show. */
  const newest = useRef<File>(undefined);

  async function choose({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const file = currentTarget.files?.[0];
    currentTarget.value = ''; // so that the same file can be chosen again
    if (!file) return;
    newest.current = file;
    setState({ step: 'reading' });
    const next = await read(file, userId).catch((): State => ({ step: 'failed', reason: 'The file could not be read. Choose it again.' }));
    if (newest.current === file) setState(next);
  }

  async function add({ plan }: Preview) {
    await addHearts(userDb(userId), userId, plan.add);
    sendSoon(HEARTS);
    onClose();
  }

  const count = state.step === 'read' ? state.preview.plan.add.length : 0;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Import watchlist"
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          {state.step === 'read' && count > 0 && <Button onClick={() => void add(state.preview)}>Add {formatCount(count, 'coin')}</Button>}
        </>
      }
    >
      <div className={styles.sheet}>
        <p className={styles.hint}>Choose a CSV file with a column “symbol” or “id”, up to 1 MB. You see what is added first.</p>
        <div>
          <FilePick id={input} accept=".csv,text/csv" icon={UPLOAD} onChange={(event) => void choose(event)}>
            Choose CSV file
          </FilePick>
        </div>
        <div role="status">
          {state.step === 'reading' && <Progress value={null} aria-label="Reading the file" />}
          {state.step === 'read' && <ImportPreview preview={state.preview} />}
        </div>
        {state.step === 'failed' && <FormError>{state.reason}</FormError>}
      </div>
    </Dialog>
  );
}

async function read(file: File, userId: string): Promise<State> {
  if (file.size > MAX_CSV) return { step: 'failed', reason: 'The file is larger than 1 MB. Split it, or remove columns.' };
  const entries = fromCsv(await file.text());
  if (entries.length === 0) return { step: 'failed', reason: 'The file names no coin. It needs a column “symbol” or “id”.' };
  const db = userDb(userId);
  const { known, isPartial } = await lookUpCoins(db, entries);
  const { ids } = await readWatched(db);
  return { step: 'read', preview: { plan: matchCoins(entries, known, new Set(ids)), isPartial, max: MAX_WATCHLIST_COINS } };
}
