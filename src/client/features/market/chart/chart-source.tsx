import { ChartCredit } from '#client/coins/chart/chart-credit.tsx';
import type { ResourceState } from '#client/platform/cache/use-resource.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { SavedStamp } from '#client/ui/feedback/saved-stamp.tsx';
import type { ChartCandles } from '#contract/market/chart-candles.ts';
import { DAY } from '#domain/clock.ts';
import styles from './chart-source.module.css';
import { formatCandleTime } from './chart-texts.ts';

/** Names where candles come from, and their age when it matters. */
export function ChartSource({ state, history }: { state: ResourceState<ChartCandles>; history: ChartCandles | undefined }) {
  const reachable = useReachable();
  const isOld = !reachable || state.error !== undefined;
  const lacksAge = history?.stale || (isOld && state.savedAt === undefined);
  return (
    <div className={styles.source}>
      {history && <span>{`${history.interval < DAY ? 'Hourly' : 'Daily'}, UTC · ${history.source}`}</span>}
      {history && (
        <div className={styles.age}>{isOld && <SavedStamp savedAt={state.savedAt} origin={state.origin} offline={!reachable} />}</div>
      )}
      {history && lacksAge && <span>Prices until {formatCandleTime(Date.parse(history.asOf), history.interval)}</span>}
      {history && <ChartCredit />}
    </div>
  );
}
