import { classes } from '../classes.ts';
import styles from './step-progress.module.css';

interface StepProgressProps {
  count: number;
  /** 1 to `count`. */
  current: number;
  label: string;
}

/** Shows the current step of a few as segments. */
export const StepProgress = ({ count, current, label }: StepProgressProps) => (
  <div className={styles.segments} role="progressbar" aria-label={label} aria-valuemin={1} aria-valuemax={count} aria-valuenow={current}>
    {Array.from({ length: count }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a segment has no identity but its position
      <span key={index} className={classes(styles.segment, index < current && styles.done)} />
    ))}
  </div>
);
