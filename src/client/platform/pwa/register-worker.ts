import { Workbox } from 'workbox-window';
import { HOUR } from '#domain/clock.ts';
import { createValue } from '../create-value.ts';
import { useValue } from '../use-value.ts';

/** A newer version waits; calling it takes over and reloads. Undefined while there is none. */
const update = createValue<(() => void) | undefined>(undefined);
export const useWaitingUpdate = (): (() => void) | undefined => useValue(update);

/**
 * Registers the service worker once the first screen is up. The page reloads only when the user has asked
 * for the update: the very first worker takes an open page over without disturbing it.
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
    // Agreed to in another tab: this one still runs the version before.
    else if (update.get()) update.set(() => location.reload());
  });
  await worker.register();
  lookForUpdates(worker);
}

/** The browser looks for a new version when a page is opened, and an installed app may be open for weeks. */
function lookForUpdates(worker: Workbox) {
  let looked = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden' || Date.now() - looked < HOUR) return;
    looked = Date.now();
    void worker.update().catch(() => undefined);
  });
}
