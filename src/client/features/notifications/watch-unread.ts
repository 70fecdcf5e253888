import { liveQuery } from 'dexie';
import { showAppBadge } from '../../platform/notifications/app-badge';
import { setUnread } from '../../platform/notifications/unread';
import { onSessionChange } from '../../platform/session/session';
import { signedIn } from '../../platform/session/signed-in';

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
