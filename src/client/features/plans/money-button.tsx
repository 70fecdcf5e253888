import type { ComponentProps } from 'react';
import { useReachable } from '../../platform/live/use-reachable';
import { Button } from '../../ui/button';
import { classes } from '../../ui/classes';
import { Icon } from '../../ui/icon';
import styles from './money-button.module.css';

interface MoneyButtonProps extends ComponentProps<typeof Button> {
  /** The id of the `OfflineReason` near it. */
  reason: string;
}

/** A button that changes a plan: refused without a connection, never queued. */
export function MoneyButton({ reason, onClick, className, ...button }: MoneyButtonProps) {
  const reachable = useReachable();
  if (reachable) return <Button {...button} className={className} onClick={onClick} />;
  return <Button {...button} className={classes(styles.refused, className)} busy={false} aria-disabled aria-describedby={reason} />;
}

/** Why the buttons beside it do nothing; empty while they do. */
export function OfflineReason({ id }: { id: string }) {
  const reachable = useReachable();
  return (
    <p id={id} className={classes(styles.reason, reachable && 'sr-only')} role="status">
      {!reachable && (
        <>
          <Icon name="wifi-off" size={16} />
          Plans can be changed once you are online. Nothing is queued.
        </>
      )}
    </p>
  );
}
