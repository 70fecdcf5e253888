import { type ReactNode, useEffect, useRef } from 'react';
import { IconButton } from '../buttons/button.tsx';
import { classes } from '../classes.ts';
import { Icon } from '../graphics/icon.tsx';
import styles from './outcome-note.module.css';

/** The result of an action: what happened, what is safe, and what to do next. */
export interface Outcome {
  tone: 'done' | 'pending' | 'failed';
  title: string;
  detail?: string | undefined;
}

const ICONS = { done: 'check', pending: 'clock', failed: 'warning' } as const;

interface OutcomeNoteProps {
  outcome: Outcome;
  /** A button for the next step. */
  action?: ReactNode;
  onClose?: (() => void) | undefined;
  /** Leaves the focus where it is, for a result that the user did not cause. */
  quiet?: boolean;
}

/** Shows the result of an action where the user started it. Takes the focus, which the button may have lost. */
export function OutcomeNote({ outcome, action, onClose, quiet = false }: OutcomeNoteProps) {
  const note = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again for each outcome
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
