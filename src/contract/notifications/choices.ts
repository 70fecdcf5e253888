import type { Notification } from '../notification.ts';
import type { ChannelName } from './channels.ts';

/** Whether notifications of a kind go by a channel, where the user has chosen. */
export type NotificationChoices = { [K in Notification['kind']]?: { [C in ChannelName]?: boolean } };
