import { Skeleton } from '#client/ui/feedback/skeleton.tsx';
import styles from './profile-skeleton.module.css';

/** The outline of the form while the device is read. */
export const ProfileSkeleton = () => (
  <div className={styles.form} role="status">
    <span className="sr-only">Loading</span>
    <div className={styles.photo}>
      <Skeleton height={106} radius={12} />
    </div>
    <Skeleton height={354} radius={12} />
    <Skeleton height={302} radius={12} />
  </div>
);
