import type { MarketSource } from '../../../contract/market';
import { isSameDay } from '../../../domain/format-time';
import { useReachable } from '../../platform/live/reachability';
import { Chip } from '../../ui/chip';
import { SavedStamp } from '../../ui/stamp';
import styles from './source-line.module.css';

interface SourceLineProps {
  source: MarketSource | undefined;
  savedAt: number | undefined;
  origin: 'device' | 'network';
  /** Why the last attempt to get newer figures failed, if it did. */
  error: unknown;
}

const time = new Intl.DateTimeFormat('en', { timeStyle: 'short' });
const dateAndTime = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

function formatAsOf(asOf: string): string {
  const at = Date.parse(asOf);
  return (isSameDay(at, Date.now()) ? time : dateAndTime).format(at);
}

/** Whose figures these are, of when, and how long they have been on the device. As high when empty as when full. */
export function SourceLine({ source, savedAt, origin, error }: SourceLineProps) {
  const reachable = useReachable();
  return (
    <div className={styles.line}>
      <span className={styles.stamp}>
        <SavedStamp savedAt={savedAt} origin={error ? 'device' : origin} offline={!reachable} />
      </span>
      {source?.demo && (
        <>
          <span className={styles.asOf}>
            as of <time dateTime={source.asOf}>{formatAsOf(source.asOf)}</time>
          </span>
          <Chip tone="warn">Demo data</Chip>
        </>
      )}
    </div>
  );
}
