import { Workbox } from 'workbox-window';
import { HOUR } from '#domain/clock.ts';
import { createValue } from '../create-value.ts';
import { useValue } from '../use-value.ts';

/** Activates the waiting version and reloads; undefined while there is none. */
const update = createValue<(() => void) | undefined>(undefined);
export const useWaitingUpdate = (): (() => void) | undefined => useValue(update);

/**
 * Registers the service worker, after the first screen. The page reloads only if the user agreed to an update; the first
 * worker takes control without a reload.
 */
export async function registerWorker() {
  if (!('serviceWorker' in navigator)) return;
  const worker = new Workbox(import.meta.env.DEV ? '/dev-sw.js?dev-sw' : '/sw.js', import.meta.env.DEV ? { type: 'module' } : {});
  let agreed = false;
  worker.addEventListener('waiting', () => {
    update.set(() => {
      agreed = true;
      worker.messageSkipWaiting();
    });
  });
  worker.addEventListener('controlling', () => {
    if (agreed) location.reload();
    // The user agreed in another tab: this one still runs the old version.
    else if (update.get()) update.set(() => location.reload());
  });
  await worker.register();
  lookForUpdates(worker);
}

/** Checks for updates when the page becomes visible: browsers check on load, but an installed app may be open for weeks. */
function lookForUpdates(worker: Workbox) {
  let looked = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden' || Date.now() - looked < HOUR) return;
    looked = Date.now();
    void worker.update().catch(() => undefined);
  });
}
