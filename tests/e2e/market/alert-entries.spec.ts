import { expect, type Page } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { followsKeys } from '#tests/support/browser/follows-keys.ts';
import { newPerson } from '#tests/support/browser/main-path.ts';
import { listStored } from '#tests/support/browser/stored-lists.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { axisPicture } from '#tests/support/charts/axis-picture.ts';
import { askHere, composer } from '#tests/support/chat/chat-page.ts';
import { test } from '../fixtures.ts';

const form = (page: Page, symbol: string) => page.getByRole('dialog', { name: `Alert for ${symbol}` });

/** Opens the list of alerts, and returns the texts of its rows. */
async function listed(page: Page) {
  await page.goto('/settings/alerts');
  return page.getByRole('list', { name: 'Price alerts' }).getByRole('listitem');
}

async function save(page: Page, symbol: string, price?: string): Promise<void> {
  if (price !== undefined) await form(page, symbol).getByLabel('Price in USD').fill(price);
  await form(page, symbol).getByRole('button', { name: 'Set alert' }).click();
  await expect(form(page, symbol)).toHaveCount(0);
}

test('a row opens its menu by right-click, key and long press, and the menu sets an alert', async ({ page, app }) => {
  await signedIn(page, app, newPerson(), '/crypto');
  const row = page.getByRole('list', { name: 'Coins' }).getByRole('link', { name: /^Ethereum ETH/ });
  const menu = page.getByRole('menu', { name: 'Actions of Ethereum' });
  await followsKeys(page);
  await row.focus();
  await page.keyboard.press('Shift+F10');
  await expect(menu).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Set price alert' })).toBeFocused();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(row).toBeFocused();
  await row.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Set price alert' }).click();
  await expect(form(page, 'ETH')).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await save(page, 'ETH', '900000');
  await expect(page).toHaveURL(/\/crypto$/);

  const touch = (kind: string) => row.dispatchEvent(kind, { pointerType: 'touch', isPrimary: true, clientX: 60, clientY: 300 });
  await touch('pointerdown');
  await expect(menu).toBeVisible();
  await touch('pointerup');
  await row.dispatchEvent('click');
  await expect(page).toHaveURL(/\/crypto$/);
  await page.keyboard.press('Escape');
  await expect((await listed(page)).filter({ hasText: 'ETH' })).toContainText('Above $900,000.00');
});

test('the palette sets an alert for a typed coin and price', async ({ page, app }) => {
  await signedIn(page, app, newPerson(), '/crypto');
  await followsKeys(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('alert eth 900000');
  const option = page.getByRole('option', { name: 'Alert for ETH at $900,000.00' });
  await expect(option).toHaveAttribute('aria-selected', 'true');
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(form(page, 'ETH').getByLabel('Price in USD')).toHaveValue('900000');
  await save(page, 'ETH');
  await expect(page).toHaveURL(/\/crypto$/);
  await expect((await listed(page)).filter({ hasText: 'ETH' })).toContainText('Above $900,000.00');
});

test('an answer and a chart picture offer alerts at their levels, also offline, and each keeps where its level came from', async ({
  page,
  context,
  app,
}) => {
  await signedIn(page, app, newPerson(), '/chat');
  await askHere(page, 'Support and resistance for BTC');
  const chip = page.getByRole('group', { name: 'Levels of Bitcoin' }).getByRole('button').first();
  await expect(chip).toHaveText(/^Alert at \$[\d,.]+, (resistance|support)$/, { timeout: 30_000 });
  await chip.click();
  await expect(form(page, 'BTC').getByText(/^(Resistance|Support) from the analyst\. Now \$/)).toBeVisible();
  await save(page, 'BTC');

  await workerReady(page);
  // The coin of a level comes from the list that the device keeps.
  await listStored(page);
  await context.setOffline(true);
  await page.goto('/chat');
  const picture = { name: 'chart.png', mimeType: 'image/png', buffer: await axisPicture({ top: 65_000, step: 1000 }) };
  await page.locator('[data-way=Gallery]').setInputFiles(picture);
  await page
    .getByRole('group', { name: 'Levels', exact: true })
    .getByRole('button', { name: /^Alert at/ })
    .first()
    .click();
  await page.getByLabel('Search coins').fill('bitcoin');
  expect(await accessibilityProblems(page)).toEqual([]);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Bitcoin/ })
    .first()
    .click();
  await expect(form(page, 'BTC').getByText(/(Resistance|Support) from a chart picture\./)).toBeVisible();
  await save(page, 'BTC');
  await composer(page).fill('Is BTC weak?');
  await page.getByRole('group', { name: 'Levels of Bitcoin' }).getByRole('button').first().click();
  await expect(form(page, 'BTC')).toBeVisible();
  await page.keyboard.press('Escape');

  const rows = await listed(page);
  await expect(rows.filter({ hasText: 'from a chart picture, $' })).toContainText('Not sent yet');
  await context.setOffline(false);
  await expect(rows.filter({ hasText: 'from a chart picture, $' })).not.toContainText('Not sent yet');
  await expect(rows.filter({ hasText: 'from the analyst, $' })).toHaveCount(1);
});
