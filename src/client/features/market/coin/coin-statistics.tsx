import { errorMessage } from '#client/platform/api/errors.ts';
import type { ResourceState } from '#client/platform/cache/use-resource.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { Skeleton } from '#client/ui/feedback/skeleton.tsx';
import { CoinAbout } from './coin-about.tsx';
import type { CoinData } from './coin-details-resource.ts';
import styles from './coin-statistics.module.css';
import { MAX_STATISTICS, statistics } from './statistics.ts';

type StatisticsProps = { state: ResourceState<CoinData> } & Pick<CoinData, 'coin' | 'details' | 'isPartial'>;

/** The statistics of a coin, then its links and tags. */
export function CoinStatistics({ state, coin, details, isPartial }: StatisticsProps) {
  const isExpected = state.isValidating || isPartial;
  const figures = statistics(coin, details);
  return (
    <>
      <section>
        <h2 className={styles.heading}>Statistics</h2>
        <dl className={styles.statistics}>
          {figures.map(({ label, text }) => (
            <div key={label} className={styles.statistic}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
          {!details && isExpected && <StatisticOutlines count={MAX_STATISTICS - figures.length} />}
        </dl>
      </section>
      {details ? <CoinAbout details={details} /> : !isExpected && <Missing state={state} name={coin.name} />}
    </>
  );
}

/** Says that only the figures of the list are stored on this device. */
function Missing({ state, name }: { state: ResourceState<CoinData>; name: string }) {
  const reachable = useReachable();
  return (
    <div className={styles.missing} role="status">
      <p>
        {reachable ? errorMessage(state.error) : 'Offline.'} Supply, links and tags of <bdi>{name}</bdi> have not been saved on this device
        yet.
      </p>
      {reachable && (
        <Button variant="secondary" onClick={() => void state.refresh()}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** The outline of all statistics. */
export const StatisticsOutline = () => (
  <div aria-hidden="true">
    <div className={styles.heading}>
      <Skeleton width={88} height={20} />
    </div>
    <div className={styles.statistics}>
      <StatisticOutlines count={MAX_STATISTICS} />
    </div>
  </div>
);

/** Outlines of statistics that are still loading. */
const StatisticOutlines = ({ count }: { count: number }) =>
  Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the outlines are all alike and never move
    <div key={index} className={styles.statistic} aria-hidden="true">
      <Skeleton width="60%" height={12} />
      <Skeleton width="80%" height={16} />
    </div>
  ));
