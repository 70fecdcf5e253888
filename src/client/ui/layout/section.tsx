import { type ReactNode, useId } from 'react';
import styles from './section.module.css';

interface SectionProps {
  title: string;
  /** A link to everything of its kind. */
  all?: { href: string; label: string };
  children: ReactNode;
}

/** A titled surface of a page. */
export function Section({ title, all, children }: SectionProps) {
  const heading = useId();
  return (
    <section className={styles.section} aria-labelledby={heading}>
      <header className={styles.header}>
        <h2 id={heading} className={styles.heading}>
          {title}
        </h2>
        {all && (
          <a className={styles.all} href={all.href} aria-label={all.label}>
            See All
          </a>
        )}
      </header>
      {children}
    </section>
  );
}
