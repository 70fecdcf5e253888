import { once } from 'node:events';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';

const ROWS = Array.from(
  { length: 100 },
  (_, n) => `<li><a href="/crypto/details/${n + 1}">Coin ${n + 1} <b>$${(n + 1) * 7}.25</b></a></li>`,
);

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Bare</title>
<style>body{margin:0;font:16px sans-serif;background:#0b1220;color:#e8eefc}a{display:flex;justify-content:space-between;padding:20px 16px;color:inherit}</style>
<ul>${ROWS.join('')}</ul><script>navigator.serviceWorker.register('/sw.js')</script></html>`;

const WORKER = `
self.addEventListener('install', (event) => event.waitUntil(caches.open('page').then((cache) => cache.add('/')).then(() => self.skipWaiting())));
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => event.respondWith(caches.match(event.request).then((hit) => hit ?? fetch(event.request))));`;

const FILES: Record<string, [type: string, body: string]> = { '/sw.js': ['text/javascript', WORKER], '/robots.txt': ['text/plain', ''] };

/** Serves a list of 100 rows as precached static HTML: the lower bound for any app. */
export async function serveBarePage(): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const [type, body] = FILES[request.url ?? ''] ?? ['text/html', PAGE];
    response.setHeader('content-type', `${type}; charset=utf-8`).setHeader('content-encoding', 'gzip').end(gzipSync(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://localhost:${address.port}`, close: () => server.close() };
}
