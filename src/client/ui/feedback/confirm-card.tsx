import type { ReactNode } from 'react';
import { Button } from '../buttons/button.tsx';
import { Card } from '../layout/card.tsx';
import styles from './confirm-card.module.css';

interface ConfirmCardProps {
  /** Names the card, such as "Price alert". */
  label: string;
  /** What the button does or has done. */
  children: ReactNode;
  /** What has happened; read out when it changes. */
  state: string | undefined;
  /** The label of the button; without it there is none. */
  button: string | undefined;
  isDone: boolean;
  onPress: () => void;
  /** Where to see the result. */
  link?: { href: string; text: string } | undefined;
}

/** Something to confirm, and afterwards its result with Undo. One button has both labels, so that it keeps the focus. */
export const ConfirmCard = ({ label, children, state, button, isDone, onPress, link }: ConfirmCardProps) => (
  <Card className={styles.card} role="group" aria-label={label}>
    <p className={styles.what}>{children}</p>
    <p className={styles.state} role="status">
      {state}
    </p>
    <div className={styles.foot}>
      {button && (
        <Button variant={isDone ? 'secondary' : 'primary'} onClick={onPress}>
          {button}
        </Button>
      )}
      {isDone && link && (
        <a className={styles.link} href={link.href}>
          {link.text}
        </a>
      )}
    </div>
  </Card>
);
