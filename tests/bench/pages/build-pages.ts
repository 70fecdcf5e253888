import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import { createCoins, formatCoin, STYLE } from './coins.ts';

/** Reference pages with the same 100 rows: static HTML, React with Dexie, and that with a stored first screen. */
export const PAGES = ['static', 'react-dexie', 'react-stored'] as const;
export type PageName = (typeof PAGES)[number];
/** Files of a page by path. */
export type Files = ReadonlyMap<string, string>;

const REACT_PAGE = fileURLToPath(new URL('react-page.tsx', import.meta.url));
/** Marks the end of the shell's root, where the worker puts the stored screen. */
const ROOT_END = '</div><!--root-->';

const html = (body: string, script: string) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Markets</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><style>${STYLE}</style></head><body>${body}${script}</body></html>`;

/** Returns a worker that serves `paths` from its cache, and the stored screen inside the shell when it has one. */
const worker = (paths: string[], storesScreen: boolean) => `
addEventListener('install', (event) => event.waitUntil(caches.open('page').then((cache) => cache.addAll(${JSON.stringify(paths)})).then(() => skipWaiting())));
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
${storesScreen ? `addEventListener('message', (event) => event.waitUntil(store(event.data)));` : ''}
async function store(screen) {
  const cache = await caches.open('page');
  const shell = await (await cache.match('/')).text();
  const page = shell.replace('${ROOT_END}', () => screen + '${ROOT_END}');
  await cache.put('/stored', new Response(page, { headers: { 'content-type': 'text/html' } }));
}
async function answer(request) {
  const isPage = request.mode === 'navigate';
  return (${storesScreen} && isPage && (await caches.match('/stored'))) || (await caches.match(isPage ? '/' : request)) || fetch(request);
}
addEventListener('fetch', (event) => event.respondWith(answer(event.request)));`;

function buildStaticPage(): Files {
  const rows = createCoins().map((coin) => {
    const { texts, points } = formatCoin(coin);
    const cells = texts.map((text) => `<td>${text}</td>`).join('');
    return `<tr>${cells}<td><svg width="96" height="24" aria-hidden="true"><polyline points="${points}"/></svg></td></tr>`;
  });
  const script = `<script>addEventListener('load',()=>navigator.serviceWorker.register('/sw.js'))</script>`;
  return new Map([
    ['/', html(`<main><h1>Markets</h1><table><tbody>${rows.join('')}</tbody></table></main>`, script)],
    ['/sw.js', worker(['/'], false)],
  ]);
}

async function buildReactPage(storesScreen: boolean): Promise<Files> {
  const { output } = (await build({
    root: fileURLToPath(new URL('.', import.meta.url)),
    configFile: false,
    envDir: false,
    logLevel: 'warn',
    // Vite's runner, which loads this file, has set NODE_ENV to development.
    oxc: { jsx: { runtime: 'automatic', development: false } },
    define: { STORES_SCREEN: String(storesScreen), 'process.env.NODE_ENV': '"production"' },
    build: { write: false, target: 'es2022', modulePreload: false, rolldownOptions: { input: REACT_PAGE } },
  })) as Rolldown.RolldownOutput;
  const scripts = output.filter((file) => file.type === 'chunk');
  const entry = scripts.find(({ isEntry }) => isEntry);
  if (!entry) throw new Error(`${basename(REACT_PAGE)} has no entry`);
  const paths = scripts.map(({ fileName }) => `/${fileName}`);
  return new Map([
    ['/', html(`<div id="root">${ROOT_END}`, `<script type="module" src="/${entry.fileName}"></script>`)],
    ['/sw.js', worker(['/', ...paths], storesScreen)],
    ...scripts.map(({ fileName, code }) => [`/${fileName}`, code] as const),
  ]);
}

/** Builds the reference pages with the project's own Vite, React and Dexie. Writes no file. */
export async function buildPages(): Promise<Record<PageName, Files>> {
  return { static: buildStaticPage(), 'react-dexie': await buildReactPage(false), 'react-stored': await buildReactPage(true) };
}
