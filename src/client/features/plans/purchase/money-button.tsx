import type { ComponentProps } from 'react';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { RefusableButton, RefusalReason } from '#client/ui/buttons/refusable-button.tsx';

/** A button that changes a plan: refused without a connection, never queued. */
export const MoneyButton = (button: Omit<ComponentProps<typeof RefusableButton>, 'refused'>) => (
  <RefusableButton {...button} refused={!useReachable()} />
);

/** Why the buttons beside it do nothing; empty while they do. */
export const OfflineReason = ({ id }: { id: string }) => (
  <RefusalReason id={id}>{!useReachable() && 'You can change plans once you are online. Nothing is queued.'}</RefusalReason>
);
