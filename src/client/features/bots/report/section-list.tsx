import { Children, type ReactNode } from 'react';
import { SectionCard } from '../section-card.tsx';
import styles from './section-list.module.css';

interface SectionListProps {
  title: string;
  /** Shown if the list is empty. */
  none: string;
  /** List items, newest first. */
  children: ReactNode;
}

/** A section with a list that scrolls on its own. */
export const SectionList = ({ title, none, children }: SectionListProps) => (
  <SectionCard title={title}>
    {Children.count(children) === 0 ? (
      <p className={styles.none}>{none}</p>
    ) : (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
      <section className={styles.scroll} tabIndex={0} aria-label={`${title}, newest first`}>
        <ol className={styles.list}>{children}</ol>
      </section>
    )}
  </SectionCard>
);
