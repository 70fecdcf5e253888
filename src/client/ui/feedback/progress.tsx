import type { ComponentProps } from 'react';
import styles from './progress.module.css';

interface ProgressProps extends Omit<ComponentProps<'progress'>, 'className' | 'value'> {
  /** 0 to 1; null where it is under way and nobody can tell how far. */
  value: number | null;
}

/** How far something has come; moving without a figure where that cannot be told. */
export const Progress = ({ value, ...progress }: ProgressProps) => (
  <progress className={styles.progress} {...progress} {...(value !== null && { value })} />
);
