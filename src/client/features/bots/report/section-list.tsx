import { Children, type ReactNode } from 'react';
import { SectionCard } from '../section-card.tsx';
import styles from './section-list.module.css';

interface SectionListProps {
  title: string;
  /** Said where nothing is listed. */
  none: string;
  /** Items of a list, the newest first. */
  children: ReactNode;
}

/** A part of a bot's page that is a list, which scrolls by itself. */
export const SectionList = ({ title, none, children }: SectionListProps) => (
  <SectionCard title={title}>
    {Children.count(children) === 0 ? (
      <p className={styles.none}>{none}</p>
    ) : (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard
      <section className={styles.scroll} tabIndex={0} aria-label={`${title}, newest first`}>
        <ol className={styles.list}>{children}</ol>
      </section>
    )}
  </SectionCard>
);
