import type { ReactNode } from 'react';
import styles from './two-pane.module.css';

interface TwoPaneProps {
  list: ReactNode;
  detail: ReactNode;
  /** Which of the two the address names: the only one shown below 1024 px. */
  current: 'list' | 'detail';
}

const DETAIL = 'detail';

/** A list and the detail of one of its rows: side by side with a scroll of their own from 1024 px. */
export const TwoPane = ({ list, detail, current }: TwoPaneProps) => (
  <div className={styles.panes} data-current={current}>
    <div className={styles.list}>
      {current === 'detail' && <SkipList />}
      {list}
    </div>
    <div className={styles.detail} id={DETAIL} tabIndex={-1}>
      {detail}
    </div>
  </div>
);

/** Takes the keyboard past the list to what is open beside it. Shown while it has the focus: first in the list, and after the open row. */
export const SkipList = () => (
  <button type="button" className={styles.skip} onClick={() => document.getElementById(DETAIL)?.focus()}>
    Skip the list
  </button>
);
