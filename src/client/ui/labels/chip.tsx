import type { ReactNode } from 'react';
import { classes } from '../classes.ts';
import styles from './chip.module.css';

interface ChipProps {
  tone?: 'info' | 'warn' | 'up' | 'down' | undefined;
  children: ReactNode;
}

/** A word about what stands beside it. */
export const Chip = ({ tone = 'info', children }: ChipProps) => <span className={classes(styles.chip, styles[tone])}>{children}</span>;
