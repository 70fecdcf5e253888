import { expect, type Page } from '@playwright/test';
import { openAs, signedIn } from '#tests/support/accounts/signed-in.ts';
import { logOut, newPerson } from '#tests/support/browser/main-path.ts';
import { test } from '../fixtures.ts';

// A worker would serve the files from the device.
test.use({ serviceWorkers: 'block' });

const MAIN_SCRIPT = /\/assets\/index-[\w-]+\.js$/;
const isListRequest = (url: string) => url.endsWith('/api/coin-market/get-data');
const isListUrl = ({ href }: URL) => isListRequest(href);

/** Pages with an early request, on a device without data. */
const PAGES = [
  { path: '/crypto', isFirst: isListRequest, text: 'Bitcoin', tag: [] },
  { path: '/home', isFirst: (url: string) => url.endsWith('/archives/'), text: 'No recent chats here!', tag: ['@nightly'] },
  { path: '/archive', isFirst: (url: string) => url.endsWith('/archives/'), text: 'Your chats will be kept here.', tag: ['@nightly'] },
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

/** Holds the scripts and styles that the HTML of the path does not name. */
async function holdUnnamedFiles(page: Page, path: string) {
  const held: string[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const named = page
    .waitForResponse((response) => new URL(response.url()).pathname === path)
    .then(async (response) => `${await response.headerValue('link')}\n${await response.text()}`);
  await page.route(/\/assets\/[^/]+\.(js|css)$/, async (route) => {
    const file = new URL(route.request().url()).pathname;
    if (!(await named).includes(file)) {
      held.push(file);
      await released;
    }
    await route.continue();
  });
  return { held, release };
}

for (const { path, isFirst, text, tag } of PAGES) {
  test(`the content of ${path} is requested before the main script arrives, and only once`, { tag }, async ({ page, app, reader }) => {
    const release = await holdMainScript(page);
    // A socket that connects asks again, for what has changed since. This one opens and stays silent.
    const connecting = new Promise<void>((resolve) => void page.routeWebSocket(/socket/, () => resolve()));
    const asked: (string | null)[] = [];
    page.on('request', (request) => {
      // The page before may ask once more until it is left.
      const from = new URL(request.frame().url()).pathname;
      if (from === path && isFirst(request.url())) asked.push(request.postData());
    });
    const answer = page.waitForResponse((response) => isFirst(response.url()));
    const opened = openAs(page, app, reader, path);
    expect((await answer).status()).toBe(200);
    release();
    await opened;
    await page.getByText(text).first().waitFor();
    await connecting;
    // The market asks for its first rows, then for all of them.
    expect(asked.map((body) => body && JSON.parse(body).limit)).toEqual(path === '/crypto' ? [20, 100] : [null]);
  });

  test(`the content of ${path} needs no script or style that its HTML does not name`, { tag }, async ({ page, app, reader }) => {
    const { held, release } = await holdUnnamedFiles(page, path);
    const opened = openAs(page, app, reader, path);
    const content = page.getByText(text).first();
    await expect.poll(async () => ((await content.isVisible()) ? 'shown' : `waits for ${held.join(', ')}`)).toBe('shown');
    release();
    await opened;
  });
}

/** Notes in the page whether placeholders of rows have been rendered. Runs before the page's own scripts. */
function watchSkeletons(): void {
  new MutationObserver(() => {
    if (document.querySelector('#root [role="status"] [data-skeleton]')) performance.mark('skeleton');
  }).observe(document, { childList: true, subtree: true });
}

test('the first render of the market has its first rows, which stay until the others come', async ({ page, app, reader }) => {
  await page.setViewportSize({ width: 390, height: 844 }); // a wide window has a coin beside the list, which is still loading
  await page.addInitScript(watchSkeletons);
  const release = await holdMainScript(page);
  let releaseRest = () => {};
  const restReleased = new Promise<void>((resolve) => (releaseRest = resolve));
  await page.route(isListUrl, async (route) => {
    if (route.request().postDataJSON().limit > 20) await restReleased;
    await route.continue();
  });
  const answer = page.waitForResponse((response) => isListRequest(response.url()) && response.request().postDataJSON().limit === 20);
  const rest = page.waitForRequest((request) => isListRequest(request.url()) && request.postDataJSON().limit === 100);
  const opened = openAs(page, app, reader, '/crypto');
  await answer;
  release();
  await opened;
  await rest;
  const rows = page.getByRole('list', { name: 'Coins' }).getByRole('link');
  await expect(rows).toHaveCount(20);
  // The device has opened its database meanwhile, which has no list of 100.
  await page.waitForFunction(async () => (await indexedDB.databases()).some(({ name }) => name?.startsWith('tidemark-user-')));
  await expect(rows).toHaveCount(20);
  releaseRest();
  await expect(rows).toHaveCount(100);
  expect(await page.evaluate(() => performance.getEntriesByName('skeleton').length)).toBe(0);
});

test('a market whose rest fails says so below its first rows, and tries again', async ({ page, app, reader }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  let fails = true;
  // The app tries again by itself too. With its timers stopped, only the button asks.
  await page.clock.install();
  await page.route(isListUrl, async (route) => {
    if (fails && route.request().postDataJSON().limit > 20) await route.fulfill({ status: 500, body: 'broken' });
    else await route.continue();
  });
  await openAs(page, app, reader, '/crypto');
  const rows = page.getByRole('list', { name: 'Coins' }).getByRole('link');
  const fault = page.getByText('The rest of the list could not be loaded.');
  await fault.waitFor();
  await expect(rows).toHaveCount(20);
  const again = page.getByRole('button', { name: 'Try again' });
  await again.waitFor();
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
  const asked = page.waitForRequest((request) => isListRequest(request.url()));
  fails = false;
  await again.click();
  await asked;
  await page.clock.resume();
  await expect(rows).toHaveCount(100);
  await expect(fault).toHaveCount(0);
});

test('a wide window opens the first coin while the rest of its market is under way', async ({ page, app, reader }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.route(isListUrl, (route) => (route.request().postDataJSON().limit > 20 ? undefined : route.continue()));
  await openAs(page, app, reader, '/crypto');
  await page.getByRole('heading', { name: /^Bitcoin/ }).waitFor();
  await expect(page.getByText('Loading the rest of the list…')).toHaveCount(1);
  await expect(page.getByRole('list', { name: 'Coins' }).getByRole('link')).toHaveCount(20);
});

test('a session that ends while the main script loads shows nothing of its answer', async ({ page, context, app }) => {
  await signedIn(page, app, newPerson());
  const other = await context.newPage();
  await other.goto('/settings/account');
  const release = await holdMainScript(page);
  // The page before may ask for the same list until it is left.
  const isOfPage = (frameUrl: string) => new URL(frameUrl).pathname === '/crypto';
  const answer = page.waitForResponse((response) => isListRequest(response.url()) && isOfPage(response.frame().url()));
  await page.goto('/crypto', { waitUntil: 'commit' });
  await answer;
  await logOut(other);
  release();
  await expect(page).toHaveURL(/\/(login|sign-up)?$/);
  await expect(firstRow(page)).toHaveCount(0);
});
