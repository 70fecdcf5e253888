import { COIN_IMAGE_CACHE } from '../src/contract/market/coin-images.ts';
import { REVISION } from '../src/contract/paths.ts';
import { runOnce } from '../src/domain/run-once.ts';

declare const self: ServiceWorkerGlobalScope & {
  /** The build's files, injected by workbox-build. `revision` is null if the name has a content hash. */
  __WB_MANIFEST?: { url: string; revision: string | null }[];
};

/** The page that starts the app. */
export const SHELL = '/index.html';

const DOWNLOADS_AT_ONCE = 4;
const IGNORED_PARAMETER = /^(utm_.*|fbclid)$/;

interface AppFile {
  url: string;
  /** Its URL in the cache, which changes with its content. */
  key: string;
  /** Whether its name has a content hash, so that the HTTP cache can't be outdated. */
  isHashed: boolean;
}

const files = new Map<string, AppFile>();
for (const { url: path, revision } of self.__WB_MANIFEST ?? []) {
  const { href: url } = new URL(path, self.location.href);
  files.set(url, { url, key: revision ? `${url}?${REVISION}=${revision}` : url, isHashed: revision === null });
}

/**
 * Returns the name of the cache of the app's files. Name and keys are those of Workbox, which wrote it up to version
 * 0.2.0, so that the worker of such a version works until the update, and the update downloads changed files only.
 */
const fileCacheName = (): string => `workbox-precache-v2-${self.registration.scope}`;

/** Downloads the files that no earlier version has cached. Rejects if any fails: then this version is not installed. */
export async function installFiles(): Promise<void> {
  const cache = await caches.open(fileCacheName());
  const cached = new Set((await cache.keys()).map(({ url }) => url));
  const missing = [...files.values()].filter(({ key }) => !cached.has(key));
  const downloadAll = async (files: Iterator<AppFile> & Iterable<AppFile>) => {
    const downloadInTurn = async () => {
      for (const file of files) await put(cache, file.key, await download(file));
    };
    await Promise.all(Array.from({ length: DOWNLOADS_AT_ONCE }, downloadInTurn));
  };
  // Pages last: the page of a captive portal looks like one, but has failed the other files.
  await downloadAll(missing.filter((file) => !isPage(file)).values());
  await downloadAll(missing.filter(isPage).values());
}

/** Deletes the files of earlier versions. */
export async function deleteOutdatedFiles(): Promise<void> {
  // A newer version already uses the cache. It deletes these files when it activates.
  if (self.registration.installing || self.registration.waiting) return;
  const current = new Set([...files.values()].map(({ key }) => key));
  const cache = await caches.open(fileCacheName());
  for (const request of await cache.keys()) if (!current.has(request.url)) await cache.delete(request);
}

const isPage = ({ url }: AppFile): boolean => url.endsWith('.html');

async function download(file: AppFile): Promise<Response> {
  const { url, key, isHashed } = file;
  // With the revision, a server of another version sends this version's file, or none.
  const response = await fetch(key, { cache: isHashed ? 'default' : 'reload', credentials: 'same-origin' });
  // A captive portal or a proxy answers with a page of its own.
  const isHtml = response.headers.get('Content-Type')?.startsWith('text/html') ?? false;
  if (response.status !== 200 || isHtml !== isPage(file)) throw new Error(`Downloading ${url} failed: ${response.status}`);
  return direct(response);
}

/** Returns a response that may answer a navigation: browsers refuse a redirected one. */
const direct = (response: Response): Response => (response.redirected ? new Response(response.body, response) : response);

/** Stores a response. If the device is out of space, deletes the coin images, and rejects. */
export async function put(cache: Cache, key: string, response: Response): Promise<void> {
  try {
    await cache.put(key, response);
  } catch (error) {
    if (error instanceof Error && error.name === 'QuotaExceededError') await caches.delete(COIN_IMAGE_CACHE);
    throw error;
  }
}

/** Returns the file of the app at this URL. */
export function fileAt(url: URL): AppFile | undefined {
  const wanted = new URL(url);
  wanted.hash = '';
  for (const name of [...wanted.searchParams.keys()]) if (IGNORED_PARAMETER.test(name)) wanted.searchParams.delete(name);
  return files.get(wanted.href);
}

/** Caches the files that the browser has lost, once, so that the app opens offline again. */
const restoreFiles = runOnce(installFiles);

/** Returns a file of the app from the cache, or from the server if the browser has lost it. */
export async function readFile(path: string): Promise<Response> {
  const { href } = new URL(path, self.location.href);
  const cached = await caches.match(files.get(href)?.key ?? href, { cacheName: fileCacheName(), ignoreVary: true });
  if (cached) return cached;
  const answer = direct(await fetch(href));
  restoreFiles().catch(() => undefined); // tried again with the next loss
  return answer;
}
