import { expect, type Page } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { deleteUserData } from '#tests/support/browser/delete-user-data.ts';
import { ask, newPerson } from '#tests/support/browser/main-path.ts';
import { test } from '../fixtures.ts';

test.use({ serviceWorkers: 'block' });

/** Marks each document that opens its socket, which starts after what tells the user of such changes. */
const markLive = (page: Page) =>
  page.addInitScript(() => {
    const opened = window.WebSocket;
    window.WebSocket = class extends opened {
      constructor(...address: ConstructorParameters<typeof WebSocket>) {
        super(...address);
        document.documentElement.setAttribute('data-live', '');
      }
    };
  });
const isLive = (page: Page) => expect(page.locator('html[data-live]')).toHaveCount(1);

function refuseWrites() {
  const full = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  Object.assign(IDBObjectStore.prototype, { put: full, add: full });
}

/** From here on, the page's device has no room. */
const fill = (page: Page) => page.evaluate(refuseWrites);

test('a device without room says that a heart, a pin and a deletion were not stored', async ({ page, app }) => {
  const told = page.getByText('Your change could not be stored on this device. Free some space and try again.');
  await markLive(page);
  await signedIn(page, app, newPerson(), '/crypto/details/1');
  await isLive(page);
  const heart = page.getByRole('button', { name: 'Add Bitcoin to watchlist' });
  await expect(heart).toBeVisible();
  await fill(page);
  await heart.click();
  await expect(told).toBeVisible();
  await expect(heart).toHaveAttribute('aria-pressed', 'false');

  await page.reload();
  await ask(page, app, 'What is staking?');
  await page.goto('/archive');
  await isLive(page);
  const menu = page.getByRole('button', { name: /^Actions for / });
  await expect(menu).toBeVisible();
  await fill(page);
  await menu.click();
  await page.getByRole('menuitem', { name: 'Pin' }).click();
  await expect(told).toBeVisible();
  await expect(told).toBeHidden();
  await menu.click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(told).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(menu).toBeVisible();
});

test('a device without room says that an answer was not stored, and shows it once there is room', async ({ page, app }) => {
  await signedIn(page, app, newPerson(), '/chat');
  await page.evaluate(() => {
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (row: { ai_response?: string }, key?: IDBValidKey) {
      if (row.ai_response && !('roomy' in window)) throw new DOMException('full', 'QuotaExceededError');
      return put.call(this, row, key);
    };
  });
  await page.getByRole('textbox').last().fill('What is staking?');
  await page.keyboard.press('Enter');
  const told = page.getByText('could not be stored on this device. Free some space and try again.');
  await expect(told).toHaveText('The answer could not be stored on this device. Free some space and try again.');
  await expect(told).toBeHidden();
  await page.evaluate(() => Object.assign(window, { roomy: true }));
  await expect(page.locator('li[data-id]')).toContainText('Locking coins to help secure a proof-of-stake chain');
});

test('a page that a device without room cannot store says why it shows nothing, and a coin shows all the same', async ({ page, app }) => {
  await signedIn(page, app, newPerson());
  // Home stores the watchlist too, sooner or later.
  await page.goto('/robots.txt');
  await page.evaluate(deleteUserData);
  await page.addInitScript(refuseWrites);
  await page.goto('/crypto/watchlist');
  const reason = 'The answer could not be stored on this device. Free some space and try again.';
  await expect(page.getByRole('alert')).toContainText(reason);
  await page.goto('/crypto/details/1');
  await expect(page.getByRole('heading', { level: 1, name: 'Bitcoin' })).toBeVisible();
  await expect(page.getByText('Max Supply')).toBeVisible();
});
