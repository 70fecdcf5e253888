import { SERVER_PATHS } from '../src/contract/paths.ts';
import { sendContacts } from './contacts.ts';
import { answerImage, isCachedImage } from './images.ts';
import { answerNavigation } from './navigation.ts';

import { deleteOutdatedFiles, fileAt, installFiles, readFile } from './precache.ts';
import { receivePushes } from './push.ts';
import { answerShare, isShare } from './share.ts';
import { addStaticRoutes } from './static-routes.ts';

declare const self: ServiceWorkerGlobalScope;

/**
 * Caches the app's files and coin images only. Offline data is in IndexedDB: the API is never cached here, so that no
 * user can see another user's answers.
 */
self.addEventListener('install', (event: ExtendableEvent) => {
  event.waitUntil(addStaticRoutes(event));
  event.waitUntil(installFiles());
});

self.addEventListener('activate', (event: ExtendableEvent) => {
  event.waitUntil(deleteOutdatedFiles());
  // The first worker serves the page that installed it; a later one waits until the user agrees.
  event.waitUntil(self.clients.claim());
  // Workbox's times of coin images, up to version 0.2.0.
  indexedDB.deleteDatabase('workbox-expiration');
});

self.addEventListener('fetch', (event: FetchEvent) => {
  const answer = answerTo(event);
  if (answer) event.respondWith(answer);
});

self.addEventListener('message', (event: ExtendableMessageEvent) => {
  if (event.data?.type === 'SKIP_WAITING') void self.skipWaiting();
});

sendContacts();
receivePushes();

const isServerPath = (pathname: string) => SERVER_PATHS.some((path) => pathname === path || pathname.startsWith(`${path}/`));

/** Returns the worker's answer; undefined if the browser should ask the network. */
function answerTo(event: FetchEvent): Promise<Response> | undefined {
  const { request } = event;
  const url = new URL(request.url);
  if (isShare(url, request)) return answerShare(event);
  if (request.method !== 'GET') return undefined;
  const file = fileAt(url);
  if (request.mode === 'navigate' && !file) {
    return isServerPath(url.pathname) ? undefined : answerNavigation(event);
  }
  if (file) return readFile(file.url);
  return isCachedImage(url, request) ? answerImage(event) : undefined;
}
