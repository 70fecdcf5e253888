import { Button } from '#client/ui/buttons/button.tsx';
import { Skeleton } from '#client/ui/feedback/skeleton.tsx';
import { formatAge } from '#client/ui/labels/format-age.ts';
import { formatBytes } from '#domain/format/format-bytes.ts';
import { formatCount } from '#domain/format/format-count.ts';
import styles from './kind-row.module.css';
import type { KindText } from './kinds.ts';
import type { Held } from './measure.ts';

interface KindRowProps {
  kind: KindText;
  held: Held;
  /** ms UTC. */
  now: number;
  onClear: () => void;
}

/** Shows the amount of one kind of data, and a button to clear it. */
export function KindRow({ kind, held: { count, bytes, syncedAt }, now, onClear }: KindRowProps) {
  const about = [
    bytes === 0 ? 'Nothing here' : formatCount(count, kind.noun),
    ...(syncedAt === undefined ? [] : [`synced ${formatAge(syncedAt, now)}`]),
  ];
  return (
    <li className={styles.row}>
      <span className={styles.words}>
        <span className={styles.kind}>{kind.title}</span>
        <span className={styles.quiet}>{about.join(' · ')}</span>
      </span>
      <span className={styles.bytes}>{bytes > 0 && formatBytes(bytes)}</span>
      <span className={styles.clear}>
        {kind.loss && bytes > 0 && (
          <Button variant="ghost" aria-label={`Clear ${kind.title}`} onClick={onClear}>
            Clear
          </Button>
        )}
      </span>
    </li>
  );
}

/** The outline of a row while the device is measured. */
export const kindRowOutline = (
  <span className={styles.row}>
    <span className={styles.words}>
      <Skeleton width="40%" height={16} />
      <Skeleton width="64%" height={12} />
    </span>
    <Skeleton width={56} height={16} />
  </span>
);
