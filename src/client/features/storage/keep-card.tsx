import { useEffect, useState } from 'react';
import { installOffer, useInstallOffer } from '#client/platform/pwa/install-offer.ts';
import { askToPersist, isPersisted } from '#client/platform/pwa/persistence.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { Skeleton } from '#client/ui/feedback/skeleton.tsx';
import { Chip } from '#client/ui/labels/chip.tsx';
import { formatBytes } from '#domain/format/format-bytes.ts';
import { PRODUCT } from '#domain/product.ts';
import styles from './keep-card.module.css';
import { StorageCard } from './storage-card.tsx';

interface DeviceStorage {
  usage: number | undefined;
  quota: number | undefined;
  persisted: boolean | undefined;
}

async function readStorage(): Promise<DeviceStorage> {
  const [estimate, persisted] = await Promise.all([navigator.storage?.estimate?.(), isPersisted()]);
  return { usage: estimate?.usage, quota: estimate?.quota, persisted };
}

/** Shows the space used, and whether the browser may clear it. `counted`: bytes by our own count; a change refreshes both. */
export function KeepCard({ counted }: { counted: number | undefined }) {
  const [storage, setStorage] = useState<DeviceStorage>();
  const [refused, setRefused] = useState(false);
  const offer = useInstallOffer();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new count needs a new estimate
  useEffect(() => {
    let gone = false;
    readStorage().then(
      (read) => gone || setStorage(read),
      () => gone || setStorage({ usage: undefined, quota: undefined, persisted: undefined }),
    );
    return () => {
      gone = true;
    };
  }, [counted]);

  const ask = async () => {
    const persisted = await askToPersist().catch(() => false);
    setRefused(!persisted);
    setStorage(await readStorage());
  };

  const install = () => {
    installOffer.set(undefined); // a prompt works once
    void offer?.prompt();
  };

  const used = storage && (storage.usage ?? counted);
  return (
    <StorageCard title="On this device">
      <p className={styles.total}>{used === undefined ? <Skeleton width={120} height={36} /> : formatBytes(used)}</p>
      <p className={styles.quiet}>{storage?.quota ? `of about ${formatBytes(storage.quota)} available` : 'Total of the items below'}</p>
      {storage && storage.persisted !== undefined && (
        <div className={styles.keep}>
          <Chip tone={storage.persisted ? 'up' : 'warn'}>{storage.persisted ? 'Kept' : 'May be cleared'}</Chip>
          <p className={styles.quiet}>
            {storage.persisted
              ? 'Your browser will not clear this on its own.'
              : 'Your browser may clear this when storage runs low. Sent data is safe in your account, unsent data is not.'}
          </p>
          {!storage.persisted && (
            <Button variant="secondary" block onClick={() => void ask()}>
              Keep my data
            </Button>
          )}
          <p className={styles.quiet} role="status">
            {refused && !storage.persisted && 'Your browser declined. Install the app and try again.'}
          </p>
        </div>
      )}
      {offer && (
        <Button variant="secondary" block onClick={install}>
          Install {PRODUCT}
        </Button>
      )}
    </StorageCard>
  );
}
