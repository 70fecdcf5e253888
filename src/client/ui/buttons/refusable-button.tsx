import type { ComponentProps, ReactNode } from 'react';
import { classes } from '../classes.ts';
import { Icon } from '../graphics/icon.tsx';
import { Button } from './button.tsx';
import styles from './refusable-button.module.css';

interface RefusableButtonProps extends ComponentProps<typeof Button> {
  /** The button does nothing, and the text at `reason` says why. */
  refused: boolean;
  /** The id of the `RefusalReason` near it. */
  reason: string;
}

/** A button that stays visible and focusable while its action is unavailable. */
export function RefusableButton({ refused, reason, onClick, className, ...button }: RefusableButtonProps) {
  if (!refused) return <Button {...button} className={className} onClick={onClick} />;
  const look = classes(styles.refused, button.variant === 'ghost' && styles.bare, className);
  return <Button {...button} type="button" className={look} busy={false} aria-disabled aria-describedby={reason} />;
}

/** Says why the buttons beside it are unavailable offline. Without children they are available. */
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
