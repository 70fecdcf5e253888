import { liveQuery } from 'dexie';
import { showAppBadge } from '#client/platform/notifications/app-badge.ts';
import { setUnread } from '#client/platform/notifications/unread.ts';
import { onSessionChange } from '#client/platform/session/session.ts';
import { signedIn } from '#client/platform/session/signed-in.ts';

function showUnread(count: number): void {
  setUnread(count);
  showAppBadge(count);
}

/** Shows the number of unread notifications on the bell and the app icon, live. 0 while signed out. */
export function watchUnread(): void {
  let watched: string | undefined;
  let stop = (): void => undefined;

  const follow = () => {
    const user = signedIn();
    if (user?.userId === watched) return;
    stop();
    watched = user?.userId;
    showUnread(0);
    if (!user) return;
    const unread = () => user.db.notifications.filter(({ read }) => !read).count();
    const watching = liveQuery(unread).subscribe({
      next: showUnread,
      error: (error) => console.error('unread notifications could not be counted', error),
    });
    stop = () => watching.unsubscribe();
  };

  onSessionChange(follow);
  follow();
}
