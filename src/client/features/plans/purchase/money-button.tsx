import type { ComponentProps } from 'react';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { RefusableButton, RefusalReason } from '#client/ui/buttons/refusable-button.tsx';

/** A button that changes a plan. It refuses offline, because nothing that moves money is queued. */
export const MoneyButton = (button: Omit<ComponentProps<typeof RefusableButton>, 'refused'>) => (
  <RefusableButton {...button} refused={!useReachable()} />
);

/** Says why the plan buttons beside it refuse; empty while they work. */
export const OfflineReason = ({ id }: { id: string }) => (
  <RefusalReason id={id}>{!useReachable() && 'You can change plans once you are online. Nothing is queued.'}</RefusalReason>
);
