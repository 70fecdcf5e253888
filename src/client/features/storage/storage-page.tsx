import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { userDb } from '#client/platform/db/user-db.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { goBack } from '#client/platform/router/history.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { toast } from '#client/platform/toast.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { ErrorState } from '#client/ui/feedback/page-state.tsx';
import { SkeletonRows } from '#client/ui/feedback/skeleton.tsx';
import { Card } from '#client/ui/layout/card.tsx';
import { PageHeader } from '#client/ui/layout/page-header.tsx';
import { ConfirmDialog } from '#client/ui/overlays/dialog.tsx';
import { clearKind } from './clear-kind.ts';
import { ExportCard } from './export-card.tsx';
import { ImportCard } from './import/import-card.tsx';
import { KeepCard } from './keep-card.tsx';
import { KindRow, kindRowOutline } from './kind-row.tsx';
import { type KindText, kinds } from './kinds.ts';
import { type Holdings, measure } from './measure.ts';
import { ServerCard } from './server-card.tsx';
import styles from './storage-page.module.css';

type Measured = { holdings: Holdings; at: number } | 'failed' | undefined;

interface StoragePageProps {
  /** Reloads what other features have stored of the account, after an import. */
  onAdded: () => Promise<void>;
  /** Shows what the user shares with others. */
  sharing?: ReactNode;
}

/** `/settings/storage`: view, clear, export and import your data. */
export function StoragePage({ onAdded, sharing }: StoragePageProps) {
  const userId = useClaims().sub;
  const db = userDb(userId);
  const offline = !useReachable();
  const [measured, setMeasured] = useState<Measured>();
  const [asked, setAsked] = useState<KindText>();
  const [isBusy, setBusy] = useState(false);

  const count = useCallback(async () => {
    try {
      setMeasured({ holdings: await measure(db), at: Date.now() });
    } catch (error) {
      console.error('measuring stored data failed', error);
      setMeasured('failed');
    }
  }, [db]);
  useEffect(() => void count(), [count]);

  const clear = async (kind: KindText) => {
    setBusy(true);
    try {
      await clearKind(db, kind.id);
      toast(`${kind.title}: cleared.`);
    } catch (error) {
      console.error('clearing failed', error);
      toast(`${kind.title} could not be cleared.`);
    }
    await count();
    setBusy(false);
    setAsked(undefined);
  };

  const total = typeof measured === 'object' ? Object.values(measured.holdings).reduce((sum, { bytes }) => sum + bytes, 0) : undefined;
  return (
    <>
      <PageHeader title="Storage and Data" onBack={() => goBack('/settings/account')} />
      <div className={styles.page}>
        <div className={styles.side}>
          <KeepCard counted={total} />
          <ServerCard />
          {sharing}
          <ExportCard />
          <ImportCard
            onAdded={async () => {
              await onAdded();
              await count();
            }}
          />
        </div>
        <Card className={styles.kinds}>
          <Kinds measured={measured} onClear={setAsked} onAgain={() => void count()} />
        </Card>
      </div>
      <ConfirmDialog
        open={asked !== undefined}
        title={`Clear ${asked?.title ?? ''}`}
        confirm="Clear"
        danger
        busy={isBusy}
        onConfirm={() => asked && void clear(asked)}
        onClose={() => setAsked(undefined)}
      >
        <p>{asked?.loss}</p>
        {offline && !asked?.isFinal && (
          <p className={styles.warning}>You are offline. You can't read this here until you are back online.</p>
        )}
      </ConfirmDialog>
    </>
  );
}

function Kinds({ measured, onClear, onAgain }: { measured: Measured; onClear: (kind: KindText) => void; onAgain: () => void }) {
  if (measured === undefined) return <SkeletonRows count={kinds.length} row={kindRowOutline} />;
  if (measured === 'failed') {
    return (
      <ErrorState
        title="Stored data could not be measured"
        detail="Nothing was deleted."
        action={<Button onClick={onAgain}>Try again</Button>}
      />
    );
  }
  return (
    <ul aria-label="What is stored">
      {kinds.map((kind) => (
        <KindRow key={kind.id} kind={kind} held={measured.holdings[kind.id]} now={measured.at} onClear={() => onClear(kind)} />
      ))}
    </ul>
  );
}
