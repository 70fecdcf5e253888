import { expect, type Page } from '@playwright/test';
import { pageTitle } from '#client/app/page-title.ts';
import { routes } from '#client/app/routes.tsx';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { deviceHas } from '#tests/support/browser/device-db.ts';
import { newPerson } from '#tests/support/browser/main-path.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { test } from '../fixtures.ts';

const SETTINGS = routes.flatMap(({ paths }) => paths).filter((path) => path.startsWith('/settings/'));
const LEGAL = ['/settings/terms-and-conditions', '/settings/privacy-policies'];

/** The stamps of what a visit brings to the device. */
const STORED = [/^notifications$/, /^watchlist\//, /^alerts$/, /^alert-history$/];

/** Expects the page with its content: no skeleton, no error, no redirect. */
async function expectOpens(page: Page, path: string) {
  await page.goto(path);
  await expect(page).toHaveTitle(pageTitle(path));
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Loading');
  await expect(page.getByText('Loading', { exact: true })).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByText('is not open yet')).toHaveCount(0);
  expect((await page.locator('main').innerText()).length).toBeGreaterThan(40);
  expect(new URL(page.url()).pathname).toBe(path);
}

test('every settings page opens offline after a restart, even if never visited', { tag: '@nightly' }, async ({ page, context, app }) => {
  await signedIn(page, app, newPerson());
  // One visit of /home, like every day.
  await workerReady(page);
  for (const stored of STORED) await deviceHas(page, 'stamps', stored);
  await expect(page.getByText('No recent chats here!')).toBeVisible();

  await context.setOffline(true);
  await page.close();
  expect(SETTINGS.length).toBeGreaterThan(8);
  for (const path of SETTINGS) {
    const cold = await context.newPage();
    await expectOpens(cold, path);
    await cold.close();
  }
});

test('a visitor reads the legal pages offline without having visited them', { tag: '@nightly' }, async ({ page, context }) => {
  await page.goto('/');
  await workerReady(page);
  await context.setOffline(true);
  await page.close();
  for (const path of LEGAL) {
    const cold = await context.newPage();
    await expectOpens(cold, path);
    await cold.close();
  }
});
