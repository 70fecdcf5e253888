import { CacheableResponsePlugin } from 'workbox-cacheable-response';
import type { WorkboxPlugin } from 'workbox-core';
import { ExpirationPlugin } from 'workbox-expiration';
import { registerRoute } from 'workbox-routing';
import { CacheFirst } from 'workbox-strategies';
import { COIN_IMAGE_CACHE, isCoinImage } from '../src/contract/market/coin-images.ts';

declare const self: ServiceWorkerGlobalScope;

const MAX_IMAGES = 300;

/** Rejects answers that are not images: a captive portal answers 200 too. */
const picturesOnly = {
  cacheWillUpdate: async ({ response }: { response: Response }) =>
    response.headers.get('Content-Type')?.startsWith('image/') ? response : null,
};

/**
 * Caches the coin images that the user has seen. Opaque responses are not cached: they may be errors, and each counts as
 * megabytes. When the device runs short of space, this cache is deleted first.
 */
export function keepCoinImages(): void {
  registerRoute(
    ({ url, request }) => isCoinImage(url, self.location.origin) && (request.mode === 'cors' || url.origin === self.location.origin),
    new CacheFirst({
      cacheName: COIN_IMAGE_CACHE,
      matchOptions: { ignoreVary: true },
      // Workbox's plugins do not fit its own type under exactOptionalPropertyTypes.
      plugins: [
        new CacheableResponsePlugin({ statuses: [200] }),
        picturesOnly,
        new ExpirationPlugin({ maxEntries: MAX_IMAGES, purgeOnQuotaError: true }),
      ] as WorkboxPlugin[],
    }),
  );
}
