import { expect, type Page } from '@playwright/test';
import { openAs, signedIn } from '#tests/support/accounts/signed-in.ts';
import { logOut, newPerson } from '#tests/support/browser/main-path.ts';
import { test } from '../fixtures.ts';

// A worker would serve the files from the device.
test.use({ serviceWorkers: 'block' });

const MAIN_SCRIPT = /\/assets\/index-[\w-]+\.js$/;
const isListRequest = (url: string) => url.endsWith('/api/coin-market/get-data');

/** Pages with an early request, on a device without data. */
const PAGES = [
  { path: '/crypto', isFirst: isListRequest, text: 'Bitcoin' },
  { path: '/home', isFirst: (url: string) => url.endsWith('/archives/'), text: 'No recent chats here!' },
  { path: '/archive', isFirst: (url: string) => url.endsWith('/archives/'), text: 'Your chats will be kept here.' },
];
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

/** Marks the first frame with the text. Runs in the page before its own scripts. */
function markContent(text: string) {
  const look = () => {
    if (document.body?.innerText.includes(text)) performance.mark('content');
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

for (const { path, isFirst, text } of PAGES) {
  test(`the content of ${path} is requested before the main script arrives, and only once`, async ({ page, app, reader }) => {
    const release = await holdMainScript(page);
    const asked: string[] = [];
    page.on('request', (request) => {
      // The page before may ask once more until it is left.
      const from = new URL(request.frame().url()).pathname;
      if (from === path && isFirst(request.url())) asked.push(request.url());
    });
    const answer = page.waitForResponse((response) => isFirst(response.url()));
    const opened = openAs(page, app, reader, path);
    expect((await answer).status()).toBe(200);
    release();
    await opened;
    await page.getByText(text).first().waitFor();
    expect(asked).toHaveLength(1);
  });

  test(`the HTML names every script and style that the content of ${path} needs`, async ({ page, app }) => {
    await signedIn(page, app, newPerson());
    const answer = page.waitForResponse((response) => new URL(response.url()).pathname === path);
    await page.addInitScript(markContent, text);
    await page.goto(path);
    await page.waitForFunction(() => performance.getEntriesByName('content').length > 0);
    const link = (await (await answer).headerValue('link')) ?? '';
    const named = [...link.matchAll(/<([^>]+)>/g)].map(([, file]) => file);
    const head = await page.locator('script[src]').evaluateAll((scripts) => scripts.map((script) => script.getAttribute('src')));
    const needed = await page.evaluate(() => {
      const content = performance.getEntriesByName('content')[0]?.startTime ?? 0;
      return performance
        .getEntriesByType('resource')
        .filter(({ name, startTime }) => /\.(js|css)$/.test(name) && startTime < content)
        .map(({ name }) => new URL(name).pathname);
    });
    expect(needed.length).toBeGreaterThan(3);
    expect(needed.filter((file) => !named.includes(file) && !head.includes(file))).toEqual([]);
  });
}

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
