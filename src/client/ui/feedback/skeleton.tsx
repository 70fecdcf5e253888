import type { CSSProperties, ReactNode } from 'react';
import styles from './skeleton.module.css';

interface SkeletonProps {
  /** Any CSS length; a number is px. */
  width?: CSSProperties['width'];
  height?: CSSProperties['height'];
  radius?: CSSProperties['borderRadius'];
}

/** A placeholder for content that is loading. */
export const Skeleton = ({ width = '100%', height = 16, radius = 6 }: SkeletonProps) => (
  <span data-skeleton="" className={styles.skeleton} style={{ width, height, borderRadius: radius }} aria-hidden="true" />
);

/** A row with a round picture, two lines and a figure, like most lists. */
const listRow = (
  <span className={styles.row}>
    <Skeleton width={32} height={32} radius="50%" />
    <span className={styles.lines}>
      <Skeleton width="52%" height={14} />
      <Skeleton width="30%" height={12} />
    </span>
    <Skeleton width={72} height={14} />
  </span>
);

/** Shows `count` placeholder rows and announces "Loading" once. */
export const SkeletonRows = ({ count, row = listRow }: { count: number; row?: ReactNode }) => (
  <div role="status">
    <span className="sr-only">Loading</span>
    {Array.from({ length: count }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move
      <div key={index} aria-hidden="true">
        {row}
      </div>
    ))}
  </div>
);
