import type { ReactNode } from 'react';
import styles from './two-pane.module.css';

interface TwoPaneProps {
  list: ReactNode;
  detail: ReactNode;
  /** Which of the two the address names: the only one shown below 1024 px. */
  current: 'list' | 'detail';
}

/** A list and the detail of one of its rows: side by side with a scroll of their own from 1024 px. */
export const TwoPane = ({ list, detail, current }: TwoPaneProps) => (
  <div className={styles.panes} data-current={current}>
    <div className={styles.list}>{list}</div>
    <div className={styles.detail}>{detail}</div>
  </div>
);
