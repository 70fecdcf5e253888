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

interface Place {
  usage: number | undefined;
  quota: number | undefined;
  persisted: boolean | undefined;
}

async function readPlace(): Promise<Place> {
  const [estimate, persisted] = await Promise.all([navigator.storage?.estimate?.(), isPersisted()]);
  return { usage: estimate?.usage, quota: estimate?.quota, persisted };
}

/** How much room the browser says is taken, and whether it may take that back. `counted` in bytes; read again when it changes. */
export function KeepCard({ counted }: { counted: number | undefined }) {
  const [place, setPlace] = useState<Place>();
  const [refused, setRefused] = useState(false);
  const offer = useInstallOffer();

  // biome-ignore lint/correctness/useExhaustiveDependencies: what was counted anew is another estimate
  useEffect(() => {
    let gone = false;
    readPlace().then(
      (read) => gone || setPlace(read),
      () => gone || setPlace({ usage: undefined, quota: undefined, persisted: undefined }),
    );
    return () => {
      gone = true;
    };
  }, [counted]);

  const ask = async () => {
    const persisted = await askToPersist().catch(() => false);
    setRefused(!persisted);
    setPlace(await readPlace());
  };

  const install = () => {
    installOffer.set(undefined); // good for one answer
    void offer?.prompt();
  };

  const used = place && (place.usage ?? counted);
  return (
    <StorageCard title="On this device">
      <p className={styles.total}>{used === undefined ? <Skeleton width={120} height={36} /> : formatBytes(used)}</p>
      <p className={styles.quiet}>{place?.quota ? `of about ${formatBytes(place.quota)} available` : 'Total of the items below'}</p>
      {place && place.persisted !== undefined && (
        <div className={styles.keep}>
          <Chip tone={place.persisted ? 'up' : 'warn'}>{place.persisted ? 'Kept' : 'May be cleared'}</Chip>
          <p className={styles.quiet}>
            {place.persisted
              ? 'Your browser will not clear this on its own.'
              : 'Your browser may clear this when storage runs low. Sent data is safe in your account, unsent data is not.'}
          </p>
          {!place.persisted && (
            <Button variant="secondary" block onClick={() => void ask()}>
              Keep my data
            </Button>
          )}
          <p className={styles.quiet} role="status">
            {refused && !place.persisted && 'Your browser declined. Install the app and try again.'}
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
