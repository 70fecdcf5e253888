import { expect, type Page } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { logOut, newPerson } from '#tests/support/browser/main-path.ts';
import { test } from '../fixtures.ts';

// A worker would serve the files from the device.
test.use({ serviceWorkers: 'block' });

const MAIN_SCRIPT = /\/assets\/index-[\w-]+\.js$/;
const isListRequest = (url: string) => url.endsWith('/api/coin-market/get-data');
const firstRow = (page: Page) => page.locator('a[href^="/crypto/details/"]').first();

/** Holds the main script of the next load. Returns a function that lets it through. */
async function holdMainScript(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(MAIN_SCRIPT, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** Runs in the page before its own scripts. */
function markFirstRow() {
  const look = () => {
    if (document.querySelector('a[href^="/crypto/details/"]')) performance.mark('first row');
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

test('the list is asked for before the main script arrives, and only once', async ({ page, app }) => {
  await signedIn(page, app, newPerson());
  const release = await holdMainScript(page);
  const asked: string[] = [];
  page.on('request', (request) => isListRequest(request.url()) && asked.push(request.url()));
  const answer = page.waitForResponse((response) => isListRequest(response.url()));
  await page.goto('/crypto', { waitUntil: 'commit' });
  expect((await answer).status()).toBe(200);
  release();
  await firstRow(page).waitFor();
  expect(asked).toHaveLength(1);
});

test('a session that ends while the main script loads shows nothing of its answer', async ({ page, context, app }) => {
  await signedIn(page, app, newPerson());
  const other = await context.newPage();
  await other.goto('/settings/account');
  const release = await holdMainScript(page);
  const answer = page.waitForResponse((response) => isListRequest(response.url()));
  await page.goto('/crypto', { waitUntil: 'commit' });
  await answer;
  await logOut(other);
  release();
  await expect(page).toHaveURL(/\/(login|sign-up)?$/);
  await expect(firstRow(page)).toHaveCount(0);
});

test('the HTML names every script and style that the first row needs', async ({ page, app }) => {
  await signedIn(page, app, newPerson());
  const answer = page.waitForResponse((response) => new URL(response.url()).pathname === '/crypto');
  await page.addInitScript(markFirstRow);
  await page.goto('/crypto');
  await page.waitForFunction(() => performance.getEntriesByName('first row').length > 0);
  const link = (await (await answer).headerValue('link')) ?? '';
  const named = [...link.matchAll(/<([^>]+)>/g)].map(([, file]) => file);
  const head = await page.locator('script[src]').evaluateAll((scripts) => scripts.map((script) => script.getAttribute('src')));
  const needed = await page.evaluate(() => {
    const row = performance.getEntriesByName('first row')[0]?.startTime ?? 0;
    return performance
      .getEntriesByType('resource')
      .filter(({ name, startTime }) => /\.(js|css)$/.test(name) && startTime < row)
      .map(({ name }) => new URL(name).pathname);
  });
  expect(needed.length).toBeGreaterThan(3);
  expect(needed.filter((file) => !named.includes(file) && !head.includes(file))).toEqual([]);
});
