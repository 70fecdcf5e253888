import { useState } from 'react';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { INDICATOR_URL } from '#client/platform/settings.ts';
import { ErrorState } from '#client/ui/feedback/page-state.tsx';
import { Skeleton } from '#client/ui/feedback/skeleton.tsx';
import styles from './indicator-frame.module.css';

/** Embeds the indicator: this app's own page, which works offline, or the URL of `VITE_INDICATOR_URL`. */
export function IndicatorFrame() {
  const [isLoaded, setLoaded] = useState(false);
  const reachable = useReachable();
  if (INDICATOR_URL && !reachable && !isLoaded) {
    return <ErrorState title="The indicator could not be loaded" detail="It loads from another site. Connect and try again." />;
  }
  return (
    <div className={styles.frame}>
      <iframe
        src={INDICATOR_URL ?? '/indicator'}
        title="Chart Analysis"
        referrerPolicy="no-referrer"
        onLoad={() => setLoaded(true)}
        {...(INDICATOR_URL && { sandbox: 'allow-scripts allow-same-origin allow-popups allow-forms' })}
      />
      {!isLoaded && (
        <div className={styles.loading} role="status">
          <span className="sr-only">Loading</span>
          <Skeleton width={180} height={28} />
          <Skeleton height={360} radius="var(--radius-card)" />
          <Skeleton width="70%" />
        </div>
      )}
    </div>
  );
}
