import { goBack } from '#client/platform/router/history.ts';
import { Skeleton } from '#client/ui/feedback/skeleton.tsx';
import { PageHeader } from '#client/ui/layout/page-header.tsx';
import styles from './coin-details.module.css';
import { MOST_STATISTICS } from './statistics.ts';

/** The outline of a coin's page: while its code is on its way, and while nothing is known of the coin. */
export const DetailsSkeleton = () => (
  <>
    <PageHeader title="" onBack={() => goBack('/crypto')} />
    <div className={styles.page} role="status">
      <span className="sr-only">Loading</span>
      <div className={styles.sourcePlace} />
      <div className={styles.hero}>
        <Skeleton width={56} height={56} radius="50%" />
        <div className={styles.names}>
          <Skeleton width={140} height={20} />
          <Skeleton width={64} height={14} />
        </div>
        <div className={styles.figures}>
          <Skeleton width={200} height={36} />
          <Skeleton width={88} height={16} />
        </div>
      </div>
      <StatisticsOutline />
    </div>
  </>
);

/** The whole grid of figures. */
export const StatisticsOutline = () => (
  <div aria-hidden="true">
    <div className={styles.heading}>
      <Skeleton width={88} height={20} />
    </div>
    <div className={styles.statistics}>
      <StatisticOutlines count={MOST_STATISTICS} />
    </div>
  </div>
);

/** Tiles whose figures are on their way. */
export const StatisticOutlines = ({ count }: { count: number }) =>
  Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the outlines are all alike and never move
    <div key={index} className={styles.statistic} aria-hidden="true">
      <Skeleton width="60%" height={12} />
      <Skeleton width="80%" height={16} />
    </div>
  ));
