import { LOCAL_COINS } from '#client/coins/local-coins.ts';
import { contentShown } from '#client/platform/cache/first-content.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { COIN_IMAGE_CACHE, isCoinImage, localCoinImage } from '#contract/market/coin-images.ts';

const LIST_LIMIT_MS = 20_000;

/** Resolves once the service worker controls this page: at once, except on the first visit. */
function workerControl(): Promise<void> {
  return new Promise((resolve) => {
    if (navigator.serviceWorker.controller) resolve();
    else navigator.serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true });
  });
}

/**
 * Lets the service worker cache the coin images of this device: those drawn before it took control, and those of rows
 * not yet scrolled to. Skips cached ones. Never throws.
 */
export async function warmCoinImages(db: UserDb): Promise<void> {
  if (!('serviceWorker' in navigator) || !('caches' in globalThis)) return;
  try {
    await workerControl();
    await contentShown(LIST_LIMIT_MS);
    const ids = await db.coins.toCollection().primaryKeys();
    const drawn = performance.getEntriesByType('resource').map(({ name }) => new URL(name));
    const wanted = [
      ...drawn.filter((url) => isCoinImage(url, location.origin)),
      ...ids.filter((id) => LOCAL_COINS.has(id)).map((id) => new URL(localCoinImage(id), location.origin)),
    ].map(({ href }) => href);
    const cache = await caches.open(COIN_IMAGE_CACHE);
    const kept = new Set((await cache.keys()).map(({ url }) => url));
    // The worker caches each response that it passes on.
    for (const url of new Set(wanted)) if (!kept.has(url)) await fetch(url, { referrerPolicy: 'no-referrer', priority: 'low' });
  } catch {
    // The page draws the coin's letters where an image is missing.
  }
}
