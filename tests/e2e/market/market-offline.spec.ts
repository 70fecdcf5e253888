import { expect, type Page } from '@playwright/test';
import { openAs, signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { deviceHas } from '#tests/support/browser/device-db.ts';
import { shiftsOf, watchShifts } from '#tests/support/browser/layout-shifts.ts';
import { newPerson } from '#tests/support/browser/main-path.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { startCoinMarketCap } from '#tests/support/market/coinmarketcap.ts';
import { CMC_KEY } from '#tests/support/market/coinmarketcap-answers.ts';
import { madeUpWorld } from '#tests/support/market/coinmarketcap-world.ts';
import { noLivePrices } from '#tests/support/market/no-live-prices.ts';
import { isNightly } from '#tests/support/nightly.ts';
import { test } from '../fixtures.ts';
import { startTestedApp } from '../start-tested-app.ts';

const rows = (page: Page) => page.getByRole('list', { name: 'Coins' }).getByRole('link');
const hits = (page: Page) => page.getByRole('region', { name: 'Search Result' }).getByRole('link');
const names = (page: Page) => rows(page).evaluateAll((links) => links.map((link) => link.querySelector('bdi')?.textContent ?? ''));
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const pick = async (page: Page, control: RegExp, option: string) => {
  await page.getByRole('button', { name: control }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

/** Expects that the announcement of a lost connection covers only the title, and moves nothing. */
async function expectQuietAnnouncement(page: Page, offline: () => Promise<void>): Promise<void> {
  const before = await shiftsOf(page);
  // The page measures it as soon as it shows: it hides after four seconds.
  const measuring = page.waitForFunction(() => {
    const header = document.querySelector('header');
    const said = [...(header?.querySelectorAll('p') ?? [])].find((each) => each.textContent?.startsWith('You are offline.'));
    if (!header || !said) return undefined;
    const [bar, place] = [said.getBoundingClientRect(), header.getBoundingClientRect()];
    const controls = [...header.querySelectorAll('a, button')].map((each) => each.getBoundingClientRect());
    return {
      isInside: bar.top >= place.top && bar.bottom <= place.bottom,
      covered: controls.filter(({ left, right }) => left < bar.right && right > bar.left).length,
      controls: controls.length,
    };
  });
  await offline();
  expect(await (await measuring).jsonValue()).toEqual({ isInside: true, covered: 0, controls: 1 });
  await expect(page.getByText(/^Offline · saved/).first()).toBeVisible();
  expect(await shiftsOf(page)).toEqual(before);
}

test('visited lists, coins and searches open offline after a restart', async ({ page, context, app, reader }) => {
  await watchShifts(page);
  await noLivePrices(page);
  await openAs(page, app, reader, '/crypto/details/1');
  await expect(page.getByRole('link', { name: 'Website' })).toHaveAttribute('rel', 'noopener noreferrer');
  const supply = await page.getByText('Max Supply').locator('+ dd').innerText();
  await deviceHas(page, 'stamps', /^coin.1$/);
  const combinations: [search: string, key: RegExp][] = [
    ['?ranking=2&top=10', /^coins.USD.2.10$/],
    ['?currency=BTC&priceMin=0.01', /^coins.BTC.1.100&/],
    ['?ranking=6&period=90d&changeMax=100&volumeMin=1', /^coins.USD.6.100&/],
  ];
  const seen = new Map<string, string[]>();
  for (const [search, key] of isNightly ? combinations : combinations.slice(-1)) {
    await page.goto(`/crypto${search}`);
    await expect(rows(page).first()).toBeVisible();
    await deviceHas(page, 'stamps', key);
    seen.set(search, await names(page));
  }
  await page.goto('/crypto');
  await expect(rows(page)).toHaveCount(100);
  const top = await names(page);
  await deviceHas(page, 'stamps', /^coins.USD.1.100$/);
  await workerReady(page);
  await expectQuietAnnouncement(page, () => context.setOffline(true));
  await page.close();

  const offline = await context.newPage();
  for (const [search, coins] of seen) {
    await offline.goto(`/crypto${search}`);
    await expect(rows(offline)).toHaveCount(coins.length);
    expect((await names(offline)).sort()).toEqual(coins.sort());
  }
  await offline.goto('/crypto');
  await expect(rows(offline)).toHaveCount(100);
  await expect(offline.getByText(/^Offline · saved/)).toBeVisible();
  expect(await accessibilityProblems(offline)).toEqual([]);

  // The device derives a shorter list and the other currency from what it has; another ranking needs the server.
  await pick(offline, /Coins shown/, 'Top 5');
  await expect(rows(offline)).toHaveCount(5);
  expect(await names(offline)).toEqual(top.slice(0, 5));
  await offline.locator('fieldset label', { hasText: 'BTC' }).click();
  await expect(rows(offline).nth(1)).toContainText('₿0.');
  await pick(offline, /Ranking type/, 'Upcoming');
  await expect(offline.getByText('This list is not on this device yet')).toBeVisible();
  expect(await accessibilityProblems(offline)).toEqual([]);
  await offline.getByRole('button', { name: 'Filter', exact: true }).click();
  await offline
    .getByRole('group', { name: /^Price/ })
    .getByLabel('Max')
    .fill('0.5');
  await offline.getByRole('button', { name: 'Apply' }).click();
  await expect(offline.getByRole('dialog').getByRole('alert')).toContainText('No connection.');
  await expect(offline.getByRole('group', { name: /^Price/ }).getByLabel('Max')).toHaveValue('0.5');
  await offline.getByRole('button', { name: 'Close' }).click();
  await offline.getByRole('button', { name: 'Show the top 100' }).click();
  await expect(rows(offline)).toHaveCount(100);

  await offline.goto('/crypto/details/1');
  await expect(offline.getByText(supply).first()).toBeVisible();
  await offline.goto('/crypto/details/74');
  await expect(title(offline, 'Dogecoin')).toBeVisible();
  await expect(offline.getByText('Supply, links and tags of Dogecoin have not been saved on this device yet.')).toBeVisible();
  expect(await accessibilityProblems(offline)).toEqual([]);

  await offline.goto('/crypto/crypto-search?q=doge');
  await expect(hits(offline)).toContainText(['Dogecoin']);
  await expect(offline.getByText(/Found on this device/)).toBeVisible();

  await context.setOffline(false);
  await offline.goto('/crypto/details/74');
  await expect(offline.getByText('Circulating Supply')).toBeVisible();
});

test('hostile coin names stay plain text, and earlier search results are found offline', { tag: '@nightly' }, async ({ page, context }) => {
  const provider = await startCoinMarketCap(madeUpWorld(), Date.now());
  const app = await startTestedApp({ MARKET: 'coinmarketcap', CMC_API_KEY: CMC_KEY, CMC_BASE_URL: provider.url });
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const image = '<img src=x onerror=alert(1)>';
  try {
    await signedIn(page, app, newPerson(), '/crypto');
    await expect(rows(page).filter({ hasText: image })).toBeVisible();
    await expect(page.getByText('Demo data')).toHaveCount(0);
    // A right-to-left name does not move the figures beside it.
    const strange = rows(page).filter({ hasText: 'עברית' });
    const order = await strange.evaluate((row) => [...row.querySelectorAll('bdi')].map((part) => getComputedStyle(part).unicodeBidi));
    expect(order).toEqual(['isolate', 'isolate']);
    const name = await strange.locator('bdi').first().boundingBox();
    const icon = await strange.locator('> :first-child').boundingBox();
    expect(name?.x).toBeGreaterThan(icon?.x ?? Number.POSITIVE_INFINITY);

    await page.goto(`${app.url}/crypto/crypto-search?q=IMG`);
    await expect(hits(page).first().locator('mark').first()).toHaveText('img');
    await expect(hits(page).first()).toContainText(image);
    await hits(page).first().click();
    await expect(title(page, image)).toBeVisible();
    await page.getByRole('button', { name: `Add ${image} to watchlist` }).click();
    await expect(page.getByRole('button', { name: `Remove ${image} from watchlist` })).toBeVisible();
    await page.goto(`${app.url}/settings/watchlist`);
    await expect(page.getByRole('link').filter({ hasText: image })).toBeVisible();
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    expect(dialogs).toEqual([]);

    // This coin is not among the list's hundred.
    await page.goto(`${app.url}/crypto/crypto-search?q=coin+149`);
    await expect(hits(page)).toHaveCount(1);
    await workerReady(page);
    await context.setOffline(true);
    await page.reload();
    await expect(page.getByText(/Found on this device/)).toBeVisible();
    await expect(hits(page)).toHaveText(/Coin 149/);
    expect(await accessibilityProblems(page)).toEqual([]);
  } finally {
    await page.close();
    await app.remove();
    await provider.close();
  }
});
