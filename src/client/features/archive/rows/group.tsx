import { type ReactNode, useId } from 'react';
import styles from './group.module.css';

interface GroupProps {
  name: string;
  /** The level below that of the list's own title. */
  heading: 'h2' | 'h3';
  children: ReactNode;
}

/** Rows of a list of chats below a heading. */
export function Group({ name, heading: Heading, children }: GroupProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Heading id={id} className={styles.heading}>
        {name}
      </Heading>
      {children}
    </section>
  );
}
