import { COIN_IMAGE_CACHE, isCoinImage } from '../src/contract/market/coin-images.ts';
import { put } from './precache.ts';

declare const self: ServiceWorkerGlobalScope;

const MAX_IMAGES = 300;

/** Tests whether the worker caches the answer. It can't read one that comes without CORS, which may be an error. */
export const isCachedImage = (url: URL, { mode }: Request): boolean =>
  isCoinImage(url, self.location.origin) && (mode === 'cors' || url.origin === self.location.origin);

/** Answers with a coin image that the user has seen, or loads and caches it. */
export async function answerImage(event: FetchEvent): Promise<Response> {
  const { request } = event;
  const cached = await caches.match(request, { cacheName: COIN_IMAGE_CACHE, ignoreVary: true });
  if (cached) return cached;
  const response = await fetch(request);
  if (isImage(response)) event.waitUntil(keep(request.url, response.clone()).catch(() => undefined));
  return response;
}

/** Rejects errors, parts, and other answers: a captive portal answers 200 too. */
const isImage = ({ status, headers }: Response): boolean => status === 200 && (headers.get('Content-Type')?.startsWith('image/') ?? false);

/** Caches an image and deletes the oldest above the limit. */
async function keep(url: string, response: Response): Promise<void> {
  const cache = await caches.open(COIN_IMAGE_CACHE);
  await put(cache, url, response);
  const kept = await cache.keys();
  for (const request of kept.slice(0, Math.max(0, kept.length - MAX_IMAGES))) await cache.delete(request, { ignoreVary: true });
}
