import type { ComponentProps, ReactNode } from 'react';
import { classes } from '../classes.ts';
import { Icon } from '../graphics/icon.tsx';
import { Button } from './button.tsx';
import styles from './refusable-button.module.css';

interface RefusableButtonProps extends ComponentProps<typeof Button> {
  /** It does nothing now, and the line that `reason` names says why. */
  refused: boolean;
  /** The id of the `RefusalReason` near it. */
  reason: string;
}

/** A button that stays in its place, and in reach of the keyboard, while what it does is refused. */
export function RefusableButton({ refused, reason, onClick, className, ...button }: RefusableButtonProps) {
  if (!refused) return <Button {...button} className={className} onClick={onClick} />;
  const look = classes(styles.refused, button.variant === 'ghost' && styles.bare, className);
  return <Button {...button} type="button" className={look} busy={false} aria-disabled aria-describedby={reason} />;
}

/** Why the buttons beside it do nothing, for want of a connection; without children they do. */
export const RefusalReason = ({ id, children }: { id: string; children: ReactNode }) => (
  <p id={id} className={classes(styles.reason, !children && 'sr-only')} role="status">
    {children && (
      <>
        <Icon name="wifi-off" size={16} />
        {children}
      </>
    )}
  </p>
);
