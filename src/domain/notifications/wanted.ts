import type { Notification } from '#contract/notification.ts';
import type { ChannelName } from '#contract/notifications/channels.ts';
import type { NotificationChoices } from '#contract/notifications/choices.ts';

/** Whether notifications go by a channel that reaches the user, unless the user chose otherwise. */
const BY_DEFAULT: Record<ChannelName, boolean> = { email: false, push: true, telegram: true, webhook: true };

/** Returns whether a user wants notifications of a kind by a channel. */
export const isWanted = (choices: NotificationChoices, kind: Notification['kind'], channel: ChannelName): boolean =>
  choices[kind]?.[channel] ?? BY_DEFAULT[channel];
