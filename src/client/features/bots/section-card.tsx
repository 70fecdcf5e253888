import { type ReactNode, useId } from 'react';
import { Card } from '#client/ui/layout/card.tsx';
import styles from './section-card.module.css';

interface SectionCardProps {
  title: string;
  /** Beside the title. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A titled section of a bot's page. */
export function SectionCard({ title, aside, children }: SectionCardProps) {
  const heading = useId();
  return (
    <Card className={styles.section} role="region" aria-labelledby={heading}>
      <div className={styles.heading}>
        <h2 id={heading}>{title}</h2>
        {aside}
      </div>
      {children}
    </Card>
  );
}
