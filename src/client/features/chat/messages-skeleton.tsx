import { Skeleton } from '../../ui/skeleton';
import styles from './messages-skeleton.module.css';

/** Two questions and their answers while a conversation is on its way. */
export const MessagesSkeleton = () => (
  <div className={styles.outline} role="status">
    <span className="sr-only">Loading</span>
    {['first', 'second'].map((name) => (
      <div key={name} className={styles.pair} aria-hidden="true">
        <span className={styles.question}>
          <Skeleton height={44} radius="12px 12px 4px" />
        </span>
        <Skeleton height={176} radius="4px 12px 12px" />
      </div>
    ))}
  </div>
);
