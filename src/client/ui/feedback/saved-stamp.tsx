import { Icon } from '../graphics/icon.tsx';
import { useMinutes } from '../hooks/use-minutes.ts';
import { formatAge } from '../labels/format-age.ts';
import styles from './saved-stamp.module.css';

const MINUTE_MS = 60_000;

interface SavedStampProps {
  /** ms UTC. While undefined, the line is empty but keeps its height. */
  savedAt: number | undefined;
  /** `memory`: the device has not stored the data. */
  origin: 'device' | 'network' | 'memory' | undefined;
  offline: boolean;
  clock?: () => number;
}

/**
 * Shows the age of the data: `Saved 12 min ago`, `Offline · saved 12 min ago`. Data of this minute from the network is what a page
 * should show, so only screen readers are told. Never calls unstored data saved.
 */
export function SavedStamp({ savedAt, origin, offline, clock = Date.now }: SavedStampProps) {
  const now = useMinutes(clock);
  const isFresh = savedAt !== undefined && now - savedAt < MINUTE_MS && origin === 'network' && !offline;
  return (
    <p className={styles.stamp} data-saved-at={savedAt}>
      {offline && savedAt !== undefined && <Icon name="wifi-off" size={16} />}
      {savedAt !== undefined && (
        // The key makes it a new element: one that becomes visible counts as moved.
        <span key={isFresh ? 'fresh' : 'aged'} className={isFresh ? 'sr-only' : undefined}>
          {wording(formatAge(savedAt, now), origin, offline)}
        </span>
      )}
    </p>
  );
}

function wording(age: string, origin: SavedStampProps['origin'], offline: boolean): string {
  if (offline) return `Offline · ${origin === 'memory' ? 'updated' : 'saved'} ${age}`;
  return origin === 'device' || origin === undefined ? `Saved ${age}` : `Updated ${age}`;
}
