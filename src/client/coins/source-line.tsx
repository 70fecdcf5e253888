import type { MarketSource } from '#contract/market/market.ts';
import { formatRecent } from '#domain/format/format-date.ts';
import type { Origin } from '../platform/cache/use-resource.ts';
import { SavedStamp } from '../ui/feedback/saved-stamp.tsx';
import { Chip } from '../ui/labels/chip.tsx';
import { shownMoney } from './money/money.ts';
import styles from './source-line.module.css';

interface SourceLineProps {
  source: MarketSource | undefined;
  savedAt: number | undefined;
  origin: Origin;
  /** Why the last fetch failed, if it did. */
  error: unknown;
  /** Whether the server can be reached. */
  reachable: boolean;
}

/** Shows the time of the figures; the date too if it is not today. */
const AsOf = ({ asOf }: { asOf: string }) => <time dateTime={asOf}>{formatRecent(Date.parse(asOf))}</time>;

/** Shows the source of the figures, their time, and their age on the device. Its height never changes. */
export function SourceLine({ source, savedAt, origin, error, reachable }: SourceLineProps) {
  return (
    <div className={styles.line}>
      <div className={styles.stamp}>
        {source?.stale && reachable && !error ? (
          <>
            Figures from <AsOf asOf={source.asOf} />; the provider can't be reached
          </>
        ) : (
          <SavedStamp savedAt={savedAt} origin={error && origin === 'network' ? 'device' : origin} offline={!reachable} />
        )}
      </div>
      {source?.demo && (
        <span className={styles.demo}>
          <span className={styles.asOf}>
            as of <AsOf asOf={source.asOf} />
          </span>
          <Chip tone="warn">Demo data</Chip>
        </span>
      )}
      {shownMoney() && <span className={styles.rate}>{shownMoney()?.note}</span>}
    </div>
  );
}
