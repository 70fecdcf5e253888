import type { ComponentProps } from 'react';
import styles from './progress.module.css';

interface ProgressProps extends Omit<ComponentProps<'progress'>, 'className' | 'value'> {
  /** 0 to 1; null while the progress is unknown. */
  value: number | null;
}

/** A progress bar, animated while the progress is unknown. */
export const Progress = ({ value, ...progress }: ProgressProps) => (
  <progress className={styles.progress} {...progress} {...(value !== null && { value })} />
);
