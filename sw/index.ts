import { clientsClaim } from 'workbox-core';
import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { SERVER_PATHS } from '../src/contract/paths.ts';
import { keepCoinImages } from './images.ts';
import { sendContacts } from './outbox.ts';

declare const self: ServiceWorkerGlobalScope;

/**
 * Caches the app's files and coin images only. Offline data is in IndexedDB: the API is never cached here, so that no
 * user can see another user's answers.
 */
precacheAndRoute(self.__WB_MANIFEST);
cleanupOutdatedCaches();

const serverPaths = SERVER_PATHS.map((path) => new RegExp(`^${path}(/|$)`));
registerRoute(new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: serverPaths }));
keepCoinImages();
sendContacts();

// The first worker serves the page that installed it; a later one waits until the user agrees.
clientsClaim();
self.addEventListener('message', (event: ExtendableMessageEvent) => {
  if (event.data?.type === 'SKIP_WAITING') void self.skipWaiting();
});
