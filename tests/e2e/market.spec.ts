import { expect, type Page } from '@playwright/test';
import { accessibilityProblems } from '../support/axe';
import { signUp } from '../support/main-path';
import { test } from './fixtures';

const rows = (page: Page) => page.getByRole('list', { name: 'Coins' }).getByRole('link');
const hits = (page: Page) => page.getByRole('region', { name: 'Search Result' }).getByRole('link');
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const isWide = (page: Page) => (page.viewportSize()?.width ?? 0) >= 1024;

test.beforeEach(async ({ page, app }, { testId }) => {
  await signUp(page, app, { firstName: 'Ada', lastName: 'King', email: `market.${testId}@example.com`, password: 'Abcde1' });
});

test('the list leads to a coin, and back to the same place', async ({ page }) => {
  await page.goto('/crypto');
  await expect(rows(page)).toHaveCount(100);
  await expect(rows(page).first()).toContainText(/Bitcoin.*BTC.*\$\d.*%/s);
  await expect(page.getByText('Demo data').first()).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);

  const far = rows(page).nth(60);
  await far.scrollIntoViewIfNeeded();
  const scrolled = () => page.evaluate(() => window.scrollY);
  const before = await scrolled();
  const name = (await far.locator('bdi').first().textContent()) ?? '';
  await far.click();
  await expect(title(page, name)).toBeVisible();
  await expect(page.getByText('Circulating Supply')).toBeVisible();
  expect(await scrolled()).toBe(0);
  expect(await accessibilityProblems(page)).toEqual([]);
  // The list stays beside the coin where there is room for both.
  if (isWide(page)) await expect(far).toHaveAttribute('aria-current', 'page');
  else await expect(far).toBeHidden();

  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page).toHaveURL(/\/crypto$/);
  await expect(far).toBeInViewport();
  expect(await scrolled()).toBe(before);
});

test('a coin is found by its name, from the list to its page', async ({ page }) => {
  await page.goto('/crypto');
  await page.getByRole('link', { name: 'Search coin...' }).click();
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.getByRole('searchbox').fill('ÉTHEREUM');
  await expect(hits(page)).toHaveCount(3);
  await expect(hits(page).first().locator('mark')).toHaveText('Ethereum');
  await expect(page).toHaveURL(/\?q=%C3%89THEREUM$/);
  expect(await accessibilityProblems(page)).toEqual([]);

  await page.reload();
  await hits(page).first().click();
  await expect(title(page, 'Ethereum')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('searchbox')).toHaveValue('ÉTHEREUM');

  for (const nothing of ['100%', '../..', '<img src=x onerror=alert(1)>']) {
    await page.getByRole('searchbox').fill(nothing);
    await expect(page.getByText('No search result found!')).toBeVisible();
  }
});

test('what was seen is there without a connection, from a cold start', async ({ page, context }) => {
  await page.goto('/crypto/details/1');
  await expect(page.getByRole('link', { name: 'Website' })).toHaveAttribute('rel', 'noopener noreferrer');
  const supply = await page.getByText('Max Supply').locator('+ dd').innerText();
  await page.goto('/crypto');
  await expect(rows(page)).toHaveCount(100);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await page.close();
  await context.setOffline(true);

  const offline = await context.newPage();
  await offline.goto('/crypto');
  await expect(rows(offline)).toHaveCount(100);
  await expect(offline.getByText(/^Offline · saved/)).toBeVisible();
  expect(await accessibilityProblems(offline)).toEqual([]);

  await offline.goto('/crypto/details/1');
  await expect(offline.getByText(supply).first()).toBeVisible();
  await offline.goto('/crypto/details/74');
  await expect(title(offline, 'Dogecoin')).toBeVisible();
  await expect(offline.getByText('Supply, links and tags of Dogecoin have not been saved on this device yet.')).toBeVisible();
  expect(await accessibilityProblems(offline)).toEqual([]);

  await offline.goto('/crypto/crypto-search?q=doge');
  await expect(hits(offline)).toContainText(['Dogecoin']);
  await expect(offline.getByText('Found on this device:')).toBeVisible();

  await context.setOffline(false);
  await offline.goto('/crypto/details/74');
  await expect(offline.getByText('Circulating Supply')).toBeVisible();
});
