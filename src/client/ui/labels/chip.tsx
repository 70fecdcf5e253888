import type { ReactNode } from 'react';
import { classes } from '../classes.ts';
import styles from './chip.module.css';

interface ChipProps {
  /** `alert` is the only filled one: real money. */
  tone?: 'info' | 'warn' | 'up' | 'down' | 'alert' | undefined;
  children: ReactNode;
}

/** Labels the item beside it with a word or two. */
export const Chip = ({ tone = 'info', children }: ChipProps) => <span className={classes(styles.chip, styles[tone])}>{children}</span>;
