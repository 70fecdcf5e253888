import type { ReactNode } from 'react';
import type { Reached } from '#contract/notifications/settings.ts';
import styles from './notification-settings.module.css';

interface DestinationProps {
  title: string;
  /** Where it goes; undefined while the channel is not connected. */
  name?: string | undefined;
  reached?: Reached | null;
  children: ReactNode;
}

/** A channel: where it reaches the user, how it is doing, and what can be done. */
export const Destination = ({ title, name, reached, children }: DestinationProps) => (
  <section className={styles.destination} aria-label={title}>
    <h3 className={styles.title}>{title}</h3>
    {name && <p className={styles.name}>{name}</p>}
    {reached && <p className={reached.ended_at || reached.failure ? styles.failing : styles.quiet}>{stateOf(reached)}</p>}
    {children}
  </section>
);

function stateOf({ ended_at, failure, sent_at }: Reached): string {
  if (ended_at) return `Switched off: ${failure ?? 'the receiver ended it'}.`;
  if (failure) return `The last message did not arrive: ${failure}.`;
  return sent_at ? 'The last message arrived.' : 'Nothing has been sent yet.';
}
