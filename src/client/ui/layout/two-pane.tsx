import type { ReactNode } from 'react';
import { classes } from '../classes.ts';
import styles from './two-pane.module.css';

interface TwoPaneProps {
  list: ReactNode;
  detail: ReactNode;
  /** The pane of the current address: the only visible one below 1024 px. */
  current: 'list' | 'detail';
  /** The list has columns: it gets half of the widest screens. */
  hasColumns?: boolean;
}

const DETAIL = 'detail';

/** Shows a list and the details of one row. From 1024 px they are side by side and scroll separately. */
export const TwoPane = ({ list, detail, current, hasColumns }: TwoPaneProps) => (
  <div className={classes(styles.panes, hasColumns && styles.columns)} data-current={current}>
    <div className={styles.list} data-pane>
      {current === 'detail' && <SkipList />}
      {list}
    </div>
    <div className={styles.detail} id={DETAIL} tabIndex={-1}>
      {detail}
    </div>
  </div>
);

/** Moves the keyboard focus past the list to the details. Visible only while focused. */
export const SkipList = () => (
  <button type="button" className={styles.skip} onClick={() => document.getElementById(DETAIL)?.focus()}>
    Skip the list
  </button>
);
