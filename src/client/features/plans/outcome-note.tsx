import { type ReactNode, useEffect, useRef } from 'react';
import { IconButton } from '../../ui/button';
import { classes } from '../../ui/classes';
import { Icon } from '../../ui/icon';
import type { Outcome } from './outcome';
import styles from './outcome-note.module.css';

const ICONS = { done: 'check', pending: 'clock', failed: 'warning' } as const;

interface OutcomeNoteProps {
  outcome: Outcome;
  /** What can be done about it. */
  action?: ReactNode;
  onClose?: (() => void) | undefined;
}

/** How a purchase ended. It takes the focus, which the button that began it may have lost. */
export function OutcomeNote({ outcome, action, onClose }: OutcomeNoteProps) {
  const note = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: again for each outcome
  useEffect(() => note.current?.focus(), [outcome]);
  return (
    <div
      ref={note}
      tabIndex={-1}
      className={classes(styles.note, styles[outcome.tone])}
      role={outcome.tone === 'failed' ? 'alert' : 'status'}
    >
      <Icon name={ICONS[outcome.tone]} size={20} />
      <div className={styles.words}>
        <p className={styles.title}>{outcome.title}</p>
        {outcome.detail && <p>{outcome.detail}</p>}
        {action}
      </div>
      {onClose && <IconButton className={styles.close} label="Close message" icon="close" onClick={onClose} />}
    </div>
  );
}
