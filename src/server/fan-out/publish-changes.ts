import type { Sessions } from '../modules/accounts/sessions/sessions.ts';
import type { ChatEvents } from '../modules/chat/events.ts';
import type { Notifications } from '../modules/notifications/service.ts';
import type { FanOut } from './fan-out.ts';

interface Sources {
  chatEvents: ChatEvents;
  notifications: Pick<Notifications, 'onNotified'>;
  sessions: Pick<Sessions, 'onRevoked'>;
}

/** Tells the other processes of the changes that this process commits. */
export function publishChanges({ publish }: Pick<FanOut, 'publish'>, { chatEvents, notifications, sessions }: Sources): void {
  chatEvents.on('response', (userId, { chat_id: id }) => publish({ userId, kind: 'answer', id }));
  chatEvents.on('title', (userId, { archive_id: id }) => publish({ userId, kind: 'title', id }));
  notifications.onNotified((userId, { id }) => publish({ userId, kind: 'notification', id }));
  sessions.onRevoked((userId, id) => publish({ userId, kind: 'ended-session', id }));
}
