import type { ComponentProps } from 'react';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { RefusableButton, RefusalReason } from '#client/ui/buttons/refusable-button.tsx';

/** A button that moves a bot: refused without a connection, never queued. */
export const BotButton = (button: Omit<ComponentProps<typeof RefusableButton>, 'refused'>) => (
  <RefusableButton {...button} refused={!useReachable()} />
);

/** Why the buttons beside it do nothing; empty while they do. */
export const OfflineReason = ({ id }: { id: string }) => (
  <RefusalReason id={id}>{!useReachable() && 'You can change bots once you are online. Nothing is queued.'}</RefusalReason>
);
