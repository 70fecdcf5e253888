import { type ReactNode, use } from 'react';
import { IconButton, IconLink } from '../buttons/button.tsx';
import { classes } from '../classes.ts';
import { HeaderNote } from '../feedback/connection-bar.tsx';
import styles from './page-header.module.css';

interface PageHeaderProps {
  /** The page's heading; the logo on the pages of the tab bar. */
  title: ReactNode;
  onBack?: (() => void) | undefined;
  /** The fixed address of Back, instead of `onBack`. */
  backHref?: string | undefined;
  /** Buttons at the end. */
  action?: ReactNode;
}

/** The bar at the top of a page: 56 px high and always visible. */
export const PageHeader = ({ title, onBack, backHref, action }: PageHeaderProps) => (
  <header className={styles.header}>
    {onBack && <IconButton label="Back" icon="back" onClick={onBack} />}
    {backHref && <IconLink label="Back" icon="back" href={backHref} />}
    <div className={classes(styles.heading, !onBack && !backHref && styles.first)}>
      <h1 className={styles.title}>{title}</h1>
      {use(HeaderNote)}
    </div>
    {action && <div className={styles.action}>{action}</div>}
  </header>
);
