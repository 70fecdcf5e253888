import { Children, type ReactNode, useState } from 'react';
import { Button } from '#client/ui/buttons/button.tsx';
import { SectionCard } from '../section-card.tsx';
import styles from './section-list.module.css';

/** Items before the first "Show more", and per press of it. */
const STEP = 12;

interface SectionListProps {
  title: string;
  /** Shown if the list is empty. */
  none: string;
  /** List items, newest first. */
  children: ReactNode;
}

/** A section with a list that grows on demand. */
export function SectionList({ title, none, children }: SectionListProps) {
  const [count, setCount] = useState(STEP);
  const items = Children.toArray(children);
  return (
    <SectionCard title={title}>
      {items.length === 0 ? (
        <p className={styles.none}>{none}</p>
      ) : (
        <ol className={styles.list} aria-label={`${title}, newest first`}>
          {items.slice(0, count)}
        </ol>
      )}
      {items.length > count && (
        <Button variant="ghost" onClick={() => setCount(count + STEP)}>
          Show more
        </Button>
      )}
    </SectionCard>
  );
}
