import { useSyncExternalStore } from 'react';

/** A newer version waits; calling it takes over and reloads. Undefined while there is none. */
let update: (() => void) | undefined;
const listeners = new Set<() => void>();

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

export const useWaitingUpdate = (): (() => void) | undefined => useSyncExternalStore(subscribe, () => update);

/**
 * Registers the service worker once the first screen is up. The page reloads only when the user has asked
 * for the update: the very first worker takes an open page over without disturbing it.
 */
export async function registerWorker() {
  if (!('serviceWorker' in navigator)) return;
  const { Workbox } = await import('workbox-window');
  const worker = new Workbox(import.meta.env.DEV ? '/dev-sw.js?dev-sw' : '/sw.js', import.meta.env.DEV ? { type: 'module' } : {});
  worker.addEventListener('waiting', () => {
    update = () => {
      worker.addEventListener('controlling', () => location.reload());
      worker.messageSkipWaiting();
    };
    for (const listener of listeners) listener();
  });
  await worker.register();
}
