import type { BrowserContext, Page, Worker } from '@playwright/test';

/** Waits until the service worker has the app's files. `evaluate` has no limit of its own, so the page sets one. */
export const workerReady = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const late = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error('The service worker was not ready within 30 s.')), 30_000);
    });
    await Promise.race([navigator.serviceWorker.ready, late]);
  });

/** Returns the app's service worker. Playwright hears of it later than the page. */
export const workerOf = async (context: BrowserContext): Promise<Worker> =>
  context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
