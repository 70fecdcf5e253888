import { type ChangeEvent, type ComponentType, useEffect, useId, useRef, useState } from 'react';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { FilePick } from '#client/ui/fields/file-pick.tsx';
import { FormError } from '#client/ui/fields/form-error.tsx';
import { UPLOAD } from '#client/ui/graphics/drawings.ts';
import { StorageCard } from '../storage-card.tsx';
import styles from './import-card.module.css';
import type { ImportFlowProps } from './use-import.ts';

interface ImportCardProps {
  /** Reloads what the device has stored, after something was added. */
  onAdded: () => Promise<void>;
}

interface Chosen {
  file: File;
  Flow: ComponentType<ImportFlowProps>;
}

/** Adds the content of an export to the account. The code that reads it loads with the first file. */
export function ImportCard({ onAdded }: ImportCardProps) {
  const isOnline = useReachable();
  const [chosen, setChosen] = useState<Chosen>();
  const [problem, setProblem] = useState<string>();
  const id = useId();
  const problemId = useId();
  const field = useRef<HTMLInputElement>(null);
  /** Whether the field comes back, and takes the focus that was inside of it or its file's preview. */
  const isBack = useRef(false);

  useEffect(() => {
    if (!chosen && isBack.current) field.current?.focus();
    isBack.current = false;
  });

  const leave = (message?: string) => {
    isBack.current = true;
    setProblem(message);
    setChosen(undefined);
  };

  const choose = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const file = currentTarget.files?.[0];
    currentTarget.value = ''; // so that the same file can be chosen again
    if (!file) return;
    setProblem(undefined);
    try {
      const { ImportFlow } = await import('./import-flow.tsx');
      setChosen({ file, Flow: ImportFlow });
    } catch {
      leave('This part of the app could not be loaded. Choose the file again when you are online.');
    }
  };

  return (
    <StorageCard title="Bring data back">
      <p className={styles.quiet}>
        Adds chats, coins, alerts and settings of a ZIP file that you exported, here or elsewhere. Nothing is replaced, and you see first
        what is added. Bots are never added.
      </p>
      {chosen ? (
        <chosen.Flow file={chosen.file} onAdded={onAdded} onLeave={leave} />
      ) : (
        <div className={styles.choose}>
          <FilePick
            id={id}
            ref={field}
            accept=".zip,application/zip"
            icon={UPLOAD}
            aria-invalid={problem !== undefined}
            aria-describedby={problem === undefined ? undefined : problemId}
            onChange={(event) => void choose(event)}
          >
            Choose an export
          </FilePick>
          {!isOnline && <p className={styles.quiet}>You can choose a file offline, but adding it needs a connection.</p>}
          <div id={problemId}>{problem !== undefined && <FormError>{problem}</FormError>}</div>
        </div>
      )}
    </StorageCard>
  );
}
