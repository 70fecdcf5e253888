import { expect, type Page } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { ask, newPerson } from '#tests/support/browser/main-path.ts';
import { test } from '../fixtures.ts';

/** Exports the data of the user of a page. Returns the path of the file. */
async function exported(page: Page): Promise<string> {
  await page.goto('/settings/storage');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export my data' }).click();
  return (await download).path();
}

/** Watches Bitcoin and sets an alert that is far from its price. Waits until the server has both. */
async function watchBitcoin(page: Page): Promise<void> {
  await page.goto('/crypto/details/1');
  const stored = (method: string, path: string) =>
    page.waitForResponse((response) => response.request().method() === method && response.url().includes(path) && response.ok());
  const watched = stored('POST', '/api/watchlist');
  await page.getByRole('button', { name: 'Add Bitcoin to watchlist' }).first().click();
  await watched;
  await page.getByRole('button', { name: 'Set alert for Bitcoin' }).click();
  const form = page.getByRole('dialog', { name: 'Alert for BTC' });
  await form.getByLabel('Price in USD').fill('900000');
  const alert = stored('PUT', '/api/alerts/');
  await form.getByRole('button', { name: 'Set alert' }).click();
  await alert;
}

test('what a user exports, another account gets by an import, and once only', async ({ page, browser, app }) => {
  await signedIn(page, app, newPerson());
  await ask(page, app, 'How is Bitcoin doing?');
  await expect(page.getByRole('button', { name: 'Copy answer' }).first()).toBeVisible();
  await watchBitcoin(page);
  const file = await exported(page);

  const context = await browser.newContext({ baseURL: app.url });
  const other = await context.newPage();
  await signedIn(other, app, newPerson('Bob'), '/settings/storage');
  await other.getByLabel('Choose an export').setInputFiles(file);
  const preview = other.getByRole('list', { name: 'What would be added' });
  await expect(preview).toContainText('1 chat and 1 question would be added');
  await expect(preview).toContainText('1 coin would be added to your watchlist');
  await expect(preview).toContainText('1 alert would be added');
  expect(await accessibilityProblems(other)).toEqual([]);
  await other.getByRole('button', { name: 'Add to my account' }).click();
  await expect(other.getByText('Added 1 chat, 1 question, 1 coin, and 1 alert')).toBeVisible();

  await other.getByRole('button', { name: 'Close message' }).click();
  await other.getByLabel('Choose an export').setInputFiles(file);
  await expect(preview).toContainText('1 chat is here already');
  await expect(preview).toContainText('1 coin is here already');
  await expect(preview).toContainText('1 alert is here already');
  await expect(other.getByText('There is nothing to add.')).toBeVisible();
  await other.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(other.getByLabel('Choose an export')).toBeFocused();

  await other.goto('/settings/watchlist');
  await expect(other.getByRole('link', { name: /Bitcoin/ }).first()).toBeVisible();
  await other.goto('/settings/alerts');
  await expect(other.getByText(/900,000/).first()).toBeVisible();
  await other.goto('/archive');
  await other.locator('a[href^="/chat/archive/"]').first().click();
  await expect(other.getByText('How is Bitcoin doing?').first()).toBeVisible();
  await expect(other.getByRole('button', { name: 'Copy answer' }).first()).toBeVisible();
  await context.close();
});
