import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FILES, type ManifestEntry, ORIGIN, type RunningWorker, runWorker } from './run-worker.ts';

const MANIFEST: ManifestEntry[] = [
  { url: 'index.html', revision: 'v1' },
  { url: 'theme.js', revision: 't1' },
  { url: 'assets/main-abc.js', revision: null },
];
const keyOf = ({ url, revision }: ManifestEntry) => `${ORIGIN}/${url}${revision ? `?__WB_REVISION__=${revision}` : ''}`;

let requests: { path: string; cache: RequestCache | undefined }[];
/** Answers of the server, by path; `index.html` and scripts by default. */
let answers: Record<string, () => Response | Promise<Response>>;

const typeOf = (path: string) => (path.endsWith('.html') ? 'text/html; charset=utf-8' : 'text/javascript');
const textOf = (response: Response | undefined) => response?.text();

beforeEach(() => {
  requests = [];
  answers = {};
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const { pathname: path, search } = new URL(url);
    requests.push({ path: path + search, cache: init.cache });
    return answers[path]?.() ?? new Response(`server: ${path}`, { headers: { 'Content-Type': typeOf(path) } });
  });
});

afterEach(() => vi.unstubAllGlobals());

const cachedKeys = (caches: RunningWorker['caches']) => [...(caches.stored.get(FILES)?.entries.keys() ?? [])].sort();

async function installed(manifest = MANIFEST) {
  const worker = await runWorker(manifest);
  await worker.dispatch('install');
  return worker;
}

describe('the installation', () => {
  it('downloads each file of its version, past the HTTP cache if its name has no content hash', async () => {
    const { caches } = await installed();
    expect(requests).toEqual([
      { path: '/theme.js?__WB_REVISION__=t1', cache: 'reload' },
      { path: '/assets/main-abc.js', cache: 'default' },
      { path: '/index.html?__WB_REVISION__=v1', cache: 'reload' },
    ]);
    expect(cachedKeys(caches)).toEqual(MANIFEST.map(keyOf).sort());
  });

  it('keeps no page of a captive portal for the next try', async () => {
    const worker = await runWorker(MANIFEST);
    const portal = () => new Response('Welcome to the hotel', { headers: { 'Content-Type': 'text/html' } });
    answers = { '/index.html': portal, '/theme.js': portal, '/assets/main-abc.js': portal };
    await expect(worker.dispatch('install')).rejects.toThrow('theme.js');
    answers = {};
    await worker.dispatch('install');
    expect(await textOf(await worker.ask('/crypto', { mode: 'navigate' }))).toBe('server: /index.html');
  });

  it('downloads only what changed, and leaves the version that runs intact', async () => {
    const { caches } = await installed();
    requests = [];
    const next = [{ url: 'index.html', revision: 'v2' }, ...MANIFEST.slice(1)];
    const worker = await runWorker(next, caches);
    await worker.dispatch('install');
    expect(requests.map(({ path }) => path)).toEqual(['/index.html?__WB_REVISION__=v2']);
    const stored = caches.stored.get(FILES)?.entries;
    expect(stored?.has(keyOf({ url: 'index.html', revision: 'v1' }))).toBe(true);
    await worker.dispatch('activate');
    expect([...(stored?.keys() ?? [])].sort()).toEqual(next.map(keyOf).sort());
  });

  it.each<[string, () => Response | Promise<Response>]>([
    ['is missing', () => new Response('', { status: 404 })],
    ['comes in part', () => new Response('half', { status: 206 })],
    ['is a page of a captive portal', () => new Response('<p>Log in', { headers: { 'Content-Type': 'text/html' } })],
    ['loses its connection', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('fails if one file %s, and the next one continues', async (_how, answer) => {
    answers['/assets/main-abc.js'] = answer;
    const worker = await runWorker(MANIFEST);
    await expect(worker.dispatch('install')).rejects.toThrow();
    answers = {};
    requests = [];
    await worker.dispatch('install');
    expect(requests.map(({ path }) => path)).toEqual(['/assets/main-abc.js', '/index.html?__WB_REVISION__=v1']);
  });

  it('deletes the coin images when the device is out of space', async () => {
    const worker = await runWorker(MANIFEST);
    await worker.caches.open('coin-images');
    const files = await worker.caches.open(FILES);
    files.put = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
    await expect(worker.dispatch('install')).rejects.toThrow('full');
    expect([...worker.caches.stored.keys()]).toEqual([FILES]);
  });

  it('tells the browser which requests never need the worker', async () => {
    const addRoutes = vi.fn(async () => undefined);
    const worker = await runWorker([]);
    await worker.dispatch('install', { addRoutes });
    expect(addRoutes.mock.lastCall).toEqual([
      expect.arrayContaining([{ condition: { urlPattern: { pathname: '/api{/*}?' } }, source: 'network' }]),
    ]);
    const report = vi.spyOn(console, 'error').mockReturnValue();
    await worker.dispatch('install', { addRoutes: () => Promise.reject(new TypeError('too many')) });
    expect(report).toHaveBeenCalledOnce();
    report.mockRestore();
  });
});

it('keeps files that a newer version has stored already', async () => {
  const { caches } = await installed();
  const worker = await runWorker([{ url: 'index.html', revision: 'v2' }], caches);
  await worker.dispatch('install');
  worker.registration.installing = {};
  await worker.dispatch('activate');
  expect(caches.stored.get(FILES)?.entries.size).toBe(4);
});

describe('the worker answers', () => {
  it.each(['/', '/crypto?ranking=2', '/c/42#last', '/apiary', '/index.html', '/assets/gone-1.js'])(
    'a navigation to %s with the shell',
    async (path) => {
      const worker = await installed();
      answers['/index.html'] = () => new Response('newer');
      expect(await textOf(await worker.ask(path, { mode: 'navigate' }))).toBe('server: /index.html');
    },
  );

  it.each(['/api', '/api/coins', '/mailbox?to=a', '/socket.io/?EIO=4', '/chart-frame', '/healthz', '/readyz'])(
    'no navigation to %s, which is the server’s',
    async (path) => {
      const worker = await installed();
      expect(await worker.ask(path, { mode: 'navigate' })).toBeUndefined();
    },
  );

  it('files from the cache, whatever a campaign adds to their URL', async () => {
    const worker = await installed();
    requests = [];
    for (const path of ['/theme.js', '/theme.js?utm_source=mail&fbclid=1', '/theme.js#top']) {
      expect(await textOf(await worker.ask(path))).toBe('server: /theme.js');
    }
    expect(await textOf(await worker.ask('/theme.js', { mode: 'navigate' }))).toBe('server: /theme.js');
    expect(requests).toEqual([]);
  });

  it.each([
    ['/theme.js?v=2', {}],
    ['/theme.js', { method: 'HEAD' }],
    ['/crypto', { method: 'POST', mode: 'navigate' as const }],
    ['/api/coins', {}],
    ['https://other.test/theme.js', {}],
  ])('nothing for %s', async (path, request) => {
    const worker = await installed();
    expect(await worker.ask(path, request)).toBeUndefined();
  });

  it('from the server what the browser has lost from the cache, without its redirect', async () => {
    const worker = await installed();
    worker.caches.stored.clear();
    const moved = new Response('moved', { headers: { 'Content-Type': 'text/html' } });
    Object.defineProperty(moved, 'redirected', { value: true });
    answers['/index.html'] = () => moved;
    const answer = await worker.ask('/crypto', { mode: 'navigate' });
    expect(answer?.redirected).toBe(false);
    expect(answer?.headers.get('Content-Type')).toBe('text/html');
    expect(await textOf(answer)).toBe('moved');
  });

  it('and caches again what the browser has lost, for the next visit without a connection', async () => {
    const worker = await installed();
    worker.caches.stored.clear();
    expect(await textOf(await worker.ask('/assets/main-abc.js'))).toBe('server: /assets/main-abc.js');
    await vi.waitFor(() => expect(cachedKeys(worker.caches)).toEqual(MANIFEST.map(keyOf).sort()));
  });
});

it('takes over when the page asks', async () => {
  const worker = await runWorker([]);
  await worker.dispatch('message', { data: { type: 'SKIP_WAITING' } });
  await worker.dispatch('message', { data: null });
  expect((self as unknown as ServiceWorkerGlobalScope).skipWaiting).toHaveBeenCalledOnce();
});
