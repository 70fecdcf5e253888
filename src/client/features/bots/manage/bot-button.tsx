import type { ComponentProps } from 'react';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { RefusableButton, RefusalReason } from '#client/ui/buttons/refusable-button.tsx';

/** A button that changes a bot. It refuses offline, because nothing that moves money is queued. */
export const BotButton = (button: Omit<ComponentProps<typeof RefusableButton>, 'refused'>) => (
  <RefusableButton {...button} refused={!useReachable()} />
);

/** Says why the bot buttons beside it refuse; empty while they work. */
export const OfflineReason = ({ id }: { id: string }) => (
  <RefusalReason id={id}>{!useReachable() && 'You can change bots once you are online. Nothing is queued.'}</RefusalReason>
);
