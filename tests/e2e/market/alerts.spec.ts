import { expect, type Page } from '@playwright/test';
import { openAs, signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { deviceHas, deviceKeys } from '#tests/support/browser/device-db.ts';
import { logIn, logOut, newPerson } from '#tests/support/browser/main-path.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { composer } from '#tests/support/chat/chat-page.ts';
import { test } from '../fixtures.ts';

test.use({ settings: { MARKET_TICK_MS: '500' } });

const ETHEREUM = '/crypto/details/1027';

/** Sets an alert so far from the price that the page shows, in USD. By default, the next moves of the market reach one of two. */
async function setAlert(page: Page, side: 'Above' | 'Below', distance = 0.02): Promise<void> {
  await page.getByRole('button', { name: 'Set alert for Ethereum' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('label', { hasText: side }).click();
  await expect(dialog).toContainText(/Now \$[\d,.]+/);
  const [, shown = ''] = /Now \$([\d,.]+)/.exec((await dialog.textContent()) ?? '') ?? [];
  const price = Number(shown.replaceAll(',', '')) + (side === 'Above' ? distance : -distance);
  await dialog.getByLabel('Price in USD').fill(price.toFixed(2));
  await dialog.getByLabel('Note (optional)').fill('Look at the chart');
  await dialog.getByRole('button', { name: 'Set alert' }).click();
  await expect(dialog).toHaveCount(0);
}

test('an alert made offline is kept over a reload, sent, fires, and leads to its level and to a question about the move', async ({
  page,
  context,
  app,
}) => {
  await signedIn(page, app, newPerson(), ETHEREUM);
  await expect(page.getByRole('button', { name: 'Set alert for Ethereum' })).toBeVisible();
  await workerReady(page);
  await context.setOffline(true);
  await setAlert(page, 'Above');
  await setAlert(page, 'Below');
  await page.reload();
  const rows = page.getByRole('list', { name: 'Price alerts of Ethereum' }).getByRole('listitem');
  await expect(rows).toHaveCount(2);
  await expect(rows.getByText('Not sent yet')).toHaveCount(2);
  expect(await accessibilityProblems(page)).toEqual([]);

  await context.setOffline(false);
  await expect(
    page
      .getByRole('link', { name: /^ETH (rose|fell) to/ })
      .or(rows.getByText(/^Fired/))
      .first(),
  ).toBeVisible();
  await expect(rows.getByText('Not sent yet')).toHaveCount(0);
  await page.goto('/settings/notification');
  await page
    .getByRole('link', { name: /Your alert: .* Look at the chart/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/crypto\/details\/1027\?alert=/);
  await expect(page.getByRole('button', { name: 'Ask about this move' })).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Ask about this move' }).click();
  await expect(composer(page)).toHaveValue(/^ETH (rose|fell) to .* What moved the price\?$/);
});

test('an alert of another device is on this one after the next connection, and after a new sign-in, without its page opened', async ({
  page,
  context,
  browser,
  app,
}) => {
  const person = newPerson();
  await signedIn(page, app, person);
  await workerReady(page);
  await deviceHas(page, 'stamps', /^alerts$/);

  const other = await browser.newContext({ baseURL: app.url });
  const otherPage = await other.newPage();
  await openAs(otherPage, app, person, ETHEREUM);
  const saved = otherPage.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.ok());
  await setAlert(otherPage, 'Above', 1_000);
  await saved;
  await other.close();
  await context.setOffline(true);
  await context.setOffline(false);
  await deviceHas(page, 'alerts', /./);

  await logOut(page);
  // The login shows before the user's data is gone.
  await expect.poll(() => deviceKeys(page, 'alerts')).toEqual([]);
  await logIn(page, person);
  await deviceHas(page, 'alerts', /./);
  await context.setOffline(true);
  await page.goto('/settings/alerts');
  await expect(page.getByText('Look at the chart')).toBeVisible();
});
