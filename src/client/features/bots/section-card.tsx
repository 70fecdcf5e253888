import { type ReactNode, useId } from 'react';
import { Card } from '../../ui/card';
import { classes } from '../../ui/classes';
import styles from './section-card.module.css';

interface SectionCardProps {
  title: string;
  /** Beside the title. */
  aside?: ReactNode;
  /** As wide as the page has room for. */
  wide?: boolean;
  children: ReactNode;
}

/** A part of a bot's page, with its heading. */
export function SectionCard({ title, aside, wide, children }: SectionCardProps) {
  const heading = useId();
  return (
    <Card className={classes(styles.section, wide && styles.wide)} role="region" aria-labelledby={heading}>
      <div className={styles.heading}>
        <h2 id={heading}>{title}</h2>
        {aside}
      </div>
      {children}
    </Card>
  );
}
