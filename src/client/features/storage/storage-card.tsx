import type { ReactNode } from 'react';
import { Card } from '#client/ui/layout/card.tsx';
import styles from './storage-card.module.css';

interface StorageCardProps {
  title: string;
  /** Id of the heading, for what it labels. */
  headingId?: string;
  children: ReactNode;
}

/** A card beside the list of stored data, with its heading. */
export const StorageCard = ({ title, headingId, children }: StorageCardProps) => (
  <Card className={styles.card}>
    <h2 className={styles.heading} id={headingId}>
      {title}
    </h2>
    {children}
  </Card>
);
