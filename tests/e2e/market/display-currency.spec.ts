import { expect, type Page } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { newPerson } from '#tests/support/browser/main-path.ts';
import { listStored } from '#tests/support/browser/stored-lists.ts';
import { takenOver } from '#tests/support/browser/taken-over.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { test } from '../fixtures.ts';

test('market figures show in the chosen currency, in other tabs and offline too, and in dollars again', async ({ page, context, app }) => {
  await signedIn(page, app, newPerson());
  const firstOf = (tab: Page) => tab.getByRole('list', { name: 'Coins' }).getByRole('link').first();
  const first = firstOf(page);
  const other = await context.newPage();
  await other.goto('/crypto');
  await expect(firstOf(other)).toContainText('$');
  await page.goto('/settings/account');
  const choice = page.getByRole('button', { name: /Display currency/ });
  await choice.click();
  await page.getByRole('option', { name: /^EUR/ }).click();
  await expect(page.getByText(/^1 USD = [\d.]+ EUR, /)).toBeVisible();
  await expect(firstOf(other)).toContainText('€');
  await expect(firstOf(other)).not.toContainText('$');
  await other.close();

  await page.goto('/crypto');
  await takenOver(page);
  await expect(first).toContainText('€');
  await expect(first).not.toContainText('$');
  await expect(page.getByText(/^1 USD = /)).toBeVisible();
  await expect(page.getByRole('radio', { name: 'EUR' })).toBeChecked();
  await page.goto('/crypto/details/1');
  await expect(page.getByRole('article')).toContainText('€');
  await expect(page.getByRole('textbox', { name: 'Amount in EUR' })).toBeVisible();
  await expect(page.getByRole('img', { name: /candles of Bitcoin in EUR/ })).toBeVisible();
  await expect(page.getByRole('article')).not.toContainText('$');
  await page.goto('/home');
  await expect(page.getByRole('region', { name: 'At a glance' })).toContainText('€');

  await workerReady(page);
  await page.goto('/crypto');
  await expect(first).toContainText('€');
  await listStored(page);
  await context.setOffline(true);
  await page.reload();
  await expect(first).toContainText('€');
  await expect(first).not.toContainText('$');

  await page.goto('/settings/account');
  await choice.click();
  await page.getByRole('option', { name: /^USD/ }).click();
  await expect(page.getByText(/^1 USD = /)).toBeHidden();
  await page.goto('/crypto');
  await expect(first).toContainText('$');
  await expect(first).not.toContainText('€');
});

test('a tab with a half-filled form keeps it when another tab chooses a currency, and shows the currency after the form', async ({
  page,
  context,
  app,
}) => {
  await signedIn(page, app, newPerson());
  const form = await context.newPage();
  await form.goto('/home');
  const glance = form.getByRole('region', { name: 'At a glance' });
  await expect(glance).toContainText('$');
  await form.getByRole('link', { name: /^Trading Bot/ }).click();
  await form.getByRole('checkbox').check();
  await form.getByRole('button', { name: 'Continue', exact: true }).click();
  await form.getByLabel('Bot Name').fill('Half a bot');
  await page.goto('/settings/account');
  await page.getByRole('button', { name: /Display currency/ }).click();
  await page.getByRole('option', { name: /^EUR/ }).click();
  await expect(page.getByText(/^1 USD = [\d.]+ EUR, /)).toBeVisible();
  // Until the tab has handled an event that came after the change.
  await form.evaluate(async () => {
    const heard = new Promise((resolve) => addEventListener('storage', ({ key }) => key === 'last' && resolve(undefined)));
    const frame = document.body.appendChild(document.createElement('iframe'));
    frame.contentWindow?.localStorage.setItem('last', 'now');
    frame.remove();
    await heard;
  });
  await expect(form.getByLabel('Bot Name')).toHaveValue('Half a bot');

  await form.goBack();
  await expect(glance).toContainText('€');
});
