import { expect, type Page } from '@playwright/test';
import { pageTitle } from '#client/app/page-title.ts';
import { routes } from '#client/app/routes.tsx';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { test } from '../fixtures.ts';

const SETTINGS = routes.flatMap(({ paths }) => paths).filter((path) => path.startsWith('/settings/'));
const LEGAL = ['/settings/terms-and-conditions', '/settings/privacy-policies'];

/** The worker has the app's files. */
const settled = (page: Page) => page.evaluate(async () => void (await navigator.serviceWorker.ready));

/** The page itself, with something in it: no skeleton, no trouble, no way out to another one. */
async function opens(page: Page, path: string) {
  await page.goto(path);
  await expect(page).toHaveTitle(pageTitle(path));
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Loading');
  await expect(page.getByText('Loading', { exact: true })).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByText('is not open yet')).toHaveCount(0);
  expect((await page.locator('main').innerText()).length).toBeGreaterThan(40);
  expect(new URL(page.url()).pathname).toBe(path);
}

test('every page of the settings opens offline from a cold start, visited before or not', async ({ page, context, app }) => {
  test.slow();
  await signedIn(page, app, { firstName: 'Ada', lastName: 'King', email: 'settles@example.com', password: 'Abcde1' });
  // One look at the app as it is opened every day.
  const pulled = ['/api/notification/', '/api/watchlist/'].map((path) => page.waitForResponse((answer) => answer.url().includes(path)));
  await page.goto('/home');
  await settled(page);
  await Promise.all(pulled);
  await expect(page.getByText('No recent chats here!')).toBeVisible();

  await context.setOffline(true);
  await page.close();
  expect(SETTINGS.length).toBeGreaterThan(8);
  for (const path of SETTINGS) {
    const cold = await context.newPage();
    await opens(cold, path);
    await cold.close();
  }
});

test('who never signed in reads the legal pages offline, though they were never visited', async ({ page, context }) => {
  await page.goto('/');
  await settled(page);
  await context.setOffline(true);
  await page.close();
  for (const path of LEGAL) {
    const cold = await context.newPage();
    await opens(cold, path);
    await cold.close();
  }
});
