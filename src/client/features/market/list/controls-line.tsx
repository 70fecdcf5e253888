import type { ReactNode } from 'react';
import styles from './controls-line.module.css';

/** The scrolling line of chips below the search, of the controls and of their outline. */
export const ControlsLine = ({ children }: { children: ReactNode }) => <div className={styles.line}>{children}</div>;
