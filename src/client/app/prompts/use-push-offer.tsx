import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { pushSupport, pushUser } from '#client/platform/notifications/push-browser.ts';
import { currentDb } from '#client/platform/session/current-db.ts';
import { useSession } from '#client/platform/session/use-session.ts';

/** localStorage: notifications were offered on this device, which is done once. */
const OFFERED = 'push-offered';

/** Returns the offer of notifications: once per device, after the user's first alert or bot, and never where the browser refuses. */
export function usePushOffer(): ReactNode {
  const session = useSession();
  const userId = session.status === 'signed-in' ? session.claims.sub : undefined;
  const [isOpen, setOpen] = useState(() => localStorage.getItem(OFFERED) === null && pushSupport() === 'yes');
  const [loaded, setLoaded] = useState<{ PushPrompt: ComponentType<{ onDone: () => void }> }>();
  useEffect(() => {
    setLoaded(undefined);
    if (!isOpen || !userId || pushUser() === userId || Notification.permission === 'denied') return;
    let stop = () => {};
    let isOver = false;
    const show = () => import('./push-prompt.tsx').then(setLoaded, () => undefined);
    const watch = async () => {
      const [db, { observe }] = await Promise.all([currentDb(userId), import('#client/platform/db/observe.ts')]);
      const count = async () => (await db.alerts.count()) + (await db.bots.count());
      const next = (rows: number) => rows > 0 && void show();
      if (!isOver) stop = observe(count, next, () => undefined);
    };
    void watch().catch(() => undefined);
    return () => {
      isOver = true;
      stop();
    };
  }, [isOpen, userId]);
  const done = () => {
    localStorage.setItem(OFFERED, new Date().toISOString());
    setOpen(false);
  };
  return isOpen && userId && loaded ? <loaded.PushPrompt onDone={done} /> : undefined;
}
