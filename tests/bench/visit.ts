import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, CDPSession, Page } from '@playwright/test';

const CLIENT = fileURLToPath(new URL('../../dist/client', import.meta.url));
/** First row of a coin list, also on the bare page. */
const ROW = 'a[href^="/crypto/details/"]';
/** Chromium's own preset: 562.5 ms of latency, 1.44 Mbit/s down, 0.675 Mbit/s up. In bytes per second. */
const SLOW_4G = { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 };
const CPU_SLOWDOWN = 4;

export interface Visit {
  /** From the start of the navigation until the first row is painted, ms. */
  readyMs: number;
  /** Cumulative layout shift until the network is idle. */
  shift: number;
  /** Scripts requested before the first row is painted, kB as brotli. */
  scriptKb: number;
}

interface Marks {
  readyMs?: number;
  shift: number;
}

/** Runs in the page before its own scripts. */
function watch(row: string) {
  const marks: Marks = { shift: 0 };
  Object.assign(window, { marks });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
      if (!entry.hadRecentInput) marks.shift += entry.value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
  const look = () => {
    if (document.querySelector(row)) requestAnimationFrame(() => setTimeout(() => (marks.readyMs = performance.now())));
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

const marksOf = (page: Page) => page.evaluate(() => (window as unknown as { marks: Marks }).marks);

function brotliKb(url: string): number {
  const file = join(CLIENT, `${new URL(url).pathname}.br`);
  return existsSync(file) ? statSync(file).size / 1000 : 0;
}

async function throttle(session: CDPSession, network: boolean) {
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  if (network) await session.send('Network.emulateNetworkConditions', SLOW_4G);
}

/** Opens `url` in a new page and measures until the network is idle. `throttled` slows CPU and network. */
export async function visit(context: BrowserContext, url: string, { throttled = false, offline = false } = {}): Promise<Visit> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  if (throttled) await throttle(session, !offline);
  await page.addInitScript(watch, ROW);
  await page.goto(url);
  await page.waitForFunction(() => (window as unknown as { marks: Marks }).marks.readyMs !== undefined);
  if (!offline) await page.waitForLoadState('networkidle');
  const { readyMs = Number.NaN, shift } = await marksOf(page);
  const requests = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name, startTime }) => ({ name, startTime })));
  const scripts = requests.filter(({ name, startTime }) => name.endsWith('.js') && startTime <= readyMs);
  await page.close();
  return { readyMs, shift, scriptKb: scripts.reduce((sum, { name }) => sum + brotliKb(name), 0) };
}

/** Clears an origin's storage except the session, so that the next visit is a first visit. */
export async function makeCold(context: BrowserContext, url: string): Promise<void> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin: url, storageTypes: 'service_workers,cache_storage' });
  await session.send('Network.clearBrowserCache');
  // A page without the app, because an open database blocks its deletion.
  await page.goto(`${url}/robots.txt`);
  await page.evaluate(async () => {
    for (const { name = '' } of await indexedDB.databases()) {
      if (!name.startsWith('tidemark-user-')) continue;
      await new Promise((resolve, reject) => {
        const deletion = indexedDB.deleteDatabase(name);
        deletion.onsuccess = resolve;
        deletion.onerror = deletion.onblocked = () => reject(new Error(`${name} is still open`));
      });
    }
  });
  await page.close();
}

/** Waits until the worker controls the page, so that the next visit works offline. */
export async function makeOfflineReady(context: BrowserContext, url: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(url);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.locator(ROW).first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.close();
}
