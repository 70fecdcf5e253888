import { Skeleton } from '#client/ui/feedback/skeleton.tsx';
import styles from './messages-skeleton.module.css';

/** Placeholder of two questions and answers while a conversation loads. */
export const MessagesSkeleton = () => (
  <div className={styles.outline} role="status">
    <span className="sr-only">Loading</span>
    {['first', 'second'].map((name) => (
      <div key={name} className={styles.pair} aria-hidden="true">
        <span className={styles.question}>
          <Skeleton height={44} radius="12px 12px 4px" />
        </span>
        <span className={styles.answer}>
          <Skeleton width={96} height={12} />
          <Skeleton width="94%" />
          <Skeleton width="82%" />
          <Skeleton width="88%" />
          <Skeleton width="40%" />
        </span>
      </div>
    ))}
  </div>
);
