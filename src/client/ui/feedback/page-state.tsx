import type { ReactNode } from 'react';
import { CALM, Illustration, TROUBLE } from '../graphics/illustration.tsx';
import styles from './page-state.module.css';

interface EmptyStateProps {
  illustration?: ReactNode;
  /** The page's own heading, where it has no header. */
  heading?: string | undefined;
  /** One line. */
  title: string;
  action?: ReactNode;
}

/** Shows that there is nothing yet: an illustration, one line, one action. */
export const EmptyState = ({ illustration = <Illustration drawing={CALM} />, heading, title, action }: EmptyStateProps) => (
  <div className={styles.state}>
    {illustration}
    {heading && <h1 className={styles.heading}>{heading}</h1>}
    <p className={heading ? styles.detail : styles.title}>{title}</p>
    {action && <div className={styles.action}>{action}</div>}
  </div>
);

interface ErrorStateProps {
  /** What happened. */
  title: string;
  /** What is safe, and what to do. */
  detail?: ReactNode;
  action?: ReactNode;
}

/** Shows an error: what happened, what is safe, what to do next. */
export const ErrorState = ({ title, detail, action }: ErrorStateProps) => (
  <div className={styles.state} role="alert">
    <Illustration drawing={TROUBLE} />
    <p className={styles.title}>{title}</p>
    {detail && <p className={styles.detail}>{detail}</p>}
    {action && <div className={styles.action}>{action}</div>}
  </div>
);
