import { startAlerts } from '../features/alerts/start-alerts.ts';
import { startFollowingArchives } from '../features/archive/follow-archives.ts';
import { startSendingQuestions } from '../features/chat/ask/send-questions.ts';
import { startFollowingNotifications } from '../features/notifications/follow-notifications.ts';
import { startPush } from '../features/push/start-push.ts';
import { startFollowingWatchlist } from '../features/watchlist/follow-watchlist.ts';
import { startTellingUnstored } from '../platform/db/tell-unstored.ts';
import { startKeepingScreens } from '../platform/first-screen/keep-screens.ts';
import { startTicks } from '../platform/live/receive-ticks.ts';
import { startSocket } from '../platform/live/socket.ts';
import { startSendingContacts } from '../platform/outbox/send-contacts.ts';
import { startSendingRevocations } from '../platform/outbox/send-revocations.ts';
import { registerWorker } from '../platform/pwa/register-worker.ts';
import { toast } from '../platform/toast.ts';
import { readNextPages } from './read-next-pages.ts';

/** Starts what runs behind the pages. The listeners start before the socket, so that they see the first connection. */
export function goLive(): void {
  startTellingUnstored();
  startSendingQuestions();
  startFollowingArchives(toast);
  startFollowingWatchlist(toast);
  startFollowingNotifications();
  startPush();
  startAlerts(toast);
  startSendingContacts();
  startSendingRevocations();
  startTicks();
  void import('../coins/money/choose-money.ts').then(({ followMoney }) => followMoney()).catch(() => undefined);
  startSocket();
  startKeepingScreens();
  readNextPages();
  void registerWorker();
}
