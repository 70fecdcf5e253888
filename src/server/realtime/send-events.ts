import type { ChatResponse, TitleResponse } from '#contract/chat/chat.ts';
import type { Notification } from '#contract/notification.ts';
import type { ChatEvents } from '../modules/chat/events.ts';
import type { Notifications } from '../modules/notifications/service.ts';
import type { RealtimeServer } from './server.ts';

/** Emits one event to some sockets. */
export type Send = (to: Pick<ReturnType<RealtimeServer['to']>, 'emit'>) => void;

export const sendResponse =
  (response: ChatResponse): Send =>
  (to) =>
    to.emit('chat_response', response);
export const sendTitle =
  (title: TitleResponse): Send =>
  (to) =>
    to.emit('generate_title_response', title);
export const sendNotification =
  (notification: Notification): Send =>
  (to) =>
    to.emit('notification', notification);

interface Sources {
  events: ChatEvents;
  notifications: Pick<Notifications, 'onNotified'>;
}

/** Sends each answer, title and notification of this process, whole, to all sockets of its user. The page types answers out. */
export function sendEvents({ events, notifications }: Sources, deliver: (userId: string, send: Send) => void): void {
  events.on('response', (userId, response) => deliver(userId, sendResponse(response)));
  events.on('title', (userId, title) => deliver(userId, sendTitle(title)));
  notifications.onNotified((userId, notification) => deliver(userId, sendNotification(notification)));
}
