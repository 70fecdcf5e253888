import { liveQuery } from 'dexie';
import { showAppBadge } from '#client/platform/notifications/app-badge.ts';
import { setUnread } from '#client/platform/notifications/unread.ts';
import { onSessionChange } from '#client/platform/session/session.ts';
import { signedIn } from '#client/platform/session/signed-in.ts';

function tell(count: number): void {
  setUnread(count);
  showAppBadge(count);
}

/** Tells bell and app icon how much is unread, now and whenever that changes; nothing once nobody is signed in. */
export function watchUnread(): void {
  let watched: string | undefined;
  let stop = (): void => undefined;

  const follow = () => {
    const user = signedIn();
    if (user?.userId === watched) return;
    stop();
    watched = user?.userId;
    tell(0);
    if (!user) return;
    const unread = () => user.db.notifications.filter(({ read }) => !read).count();
    const watching = liveQuery(unread).subscribe({
      next: tell,
      error: (error) => console.error('unread notifications could not be counted', error),
    });
    stop = () => watching.unsubscribe();
  };

  onSessionChange(follow);
  follow();
}
