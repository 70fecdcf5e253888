import type { Share } from '../../platform/outbox/sending';
import styles from './progress.module.css';

/** How much of a message has left the device; moving without a figure where that cannot be told. */
export const Progress = ({ share }: { share: Share | undefined }) => (
  <progress className={styles.progress} aria-label="Progress" {...(typeof share === 'number' && { value: share })} />
);
