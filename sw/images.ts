import { CacheableResponsePlugin } from 'workbox-cacheable-response';
import type { WorkboxPlugin } from 'workbox-core';
import { ExpirationPlugin } from 'workbox-expiration';
import { registerRoute } from 'workbox-routing';
import { CacheFirst } from 'workbox-strategies';
import { COIN_IMAGE_CACHE, isCoinImage } from '../src/contract/market/coin-images.ts';

declare const self: ServiceWorkerGlobalScope;

const MOST = 300;

/** A captive portal answers 200 too, but not with a picture. */
const picturesOnly = {
  cacheWillUpdate: async ({ response }: { response: Response }) =>
    response.headers.get('Content-Type')?.startsWith('image/') ? response : null,
};

/**
 * Pictures of coins stay on the device once they were seen. Only answers whose status can be read are kept: an opaque
 * one may be an error, and counts as megabytes (failure mode 7). When the device runs short, these go before anything else.
 */
export function keepCoinImages(): void {
  registerRoute(
    ({ url, request }) => isCoinImage(url, self.location.origin) && (request.mode === 'cors' || url.origin === self.location.origin),
    new CacheFirst({
      cacheName: COIN_IMAGE_CACHE,
      matchOptions: { ignoreVary: true },
      // Workbox's own plugins miss its own type by an `undefined`.
      plugins: [
        new CacheableResponsePlugin({ statuses: [200] }),
        picturesOnly,
        new ExpirationPlugin({ maxEntries: MOST, purgeOnQuotaError: true }),
      ] as WorkboxPlugin[],
    }),
  );
}
