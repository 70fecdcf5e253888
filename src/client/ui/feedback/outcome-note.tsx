import { type ReactNode, useEffect, useRef } from 'react';
import { IconButton } from '../buttons/button.tsx';
import { classes } from '../classes.ts';
import { Icon } from '../graphics/icon.tsx';
import styles from './outcome-note.module.css';

/** How something ended: what happened, and what is safe and to be done. */
export interface Outcome {
  tone: 'done' | 'pending' | 'failed';
  title: string;
  detail?: string | undefined;
}

const ICONS = { done: 'check', pending: 'clock', failed: 'warning' } as const;

interface OutcomeNoteProps {
  outcome: Outcome;
  /** What can be done about it. */
  action?: ReactNode;
  onClose?: (() => void) | undefined;
  /** Nobody asked for it: the focus stays where it is. */
  quiet?: boolean;
}

/** How something ended, where it was asked for. It takes the focus, which the button that began it may have lost. */
export function OutcomeNote({ outcome, action, onClose, quiet = false }: OutcomeNoteProps) {
  const note = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: again for each outcome
  useEffect(() => {
    if (!quiet) note.current?.focus();
  }, [outcome, quiet]);
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
