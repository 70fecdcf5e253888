import { useReachable } from '#client/platform/live/use-reachable.ts';
import { useProfile } from '#client/platform/session/profile.ts';
import { Progress } from '#client/ui/feedback/progress.tsx';
import { SavedStamp } from '#client/ui/feedback/saved-stamp.tsx';
import { Skeleton } from '#client/ui/feedback/skeleton.tsx';
import styles from './server-card.module.css';
import { StorageCard } from './storage-card.tsx';

const MB = 1_000_000;

/** Shows how much of the picture quota is used, and how to free space. */
export function ServerCard() {
  const { data, savedAt, origin, error } = useProfile();
  const offline = !useReachable();
  const { used, quota } = data?.pictures ?? {};
  const known = used !== undefined && quota !== undefined;
  const unknown = !known && (offline || error !== undefined || data !== undefined);
  return (
    <StorageCard title="Pictures on the server" headingId="server-pictures">
      {unknown ? (
        <p className={styles.quiet}>Connect to see how much space your pictures take.</p>
      ) : (
        <>
          <p className={styles.total}>
            {known ? `${(used / MB).toFixed(1)} of ${Math.round(quota / MB)} MB` : <Skeleton width={180} height={36} />}
          </p>
          {known && <Progress aria-labelledby="server-pictures" value={Math.min(1, used / quota)} />}
        </>
      )}
      <p className={styles.quiet}>
        Pictures in chats, in messages to support and in your profile count. Delete chats with pictures to free space.
      </p>
      {known && <SavedStamp savedAt={savedAt} origin={origin} offline={offline} />}
    </StorageCard>
  );
}
