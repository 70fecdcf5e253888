import { expect, type Page } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { ask, newPerson } from '#tests/support/browser/main-path.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { test } from '../fixtures.ts';

/** Makes the writes of this tab's pages fail, or never answer, while sessionStorage says so. */
const failWrites = (page: Page) =>
  page.addInitScript(() => {
    const how = sessionStorage.getItem('writes');
    if (how === 'fail') {
      const fail = () => {
        throw new DOMException('', 'UnknownError');
      };
      Object.assign(IDBObjectStore.prototype, { put: fail, add: fail, delete: fail, clear: fail });
      IDBFactory.prototype.deleteDatabase = fail;
    }
    if (how === 'hang') {
      const { transaction } = IDBDatabase.prototype;
      IDBDatabase.prototype.transaction = function (...args) {
        const begun = transaction.apply(this, args);
        const keepOpen = () => {
          begun.objectStore(begun.objectStoreNames[0] as string).count().onsuccess = keepOpen;
        };
        if (begun.mode === 'readwrite') keepOpen();
        return begun;
      };
    }
  });

for (const how of ['fail', 'hang'] as const)
  test(`a sign-out finishes and shows nothing of the user although writes of the storage ${how}`, async ({ page, context, app }) => {
    await failWrites(page);
    await signedIn(page, app, newPerson('Ada'));
    await ask(page, app, 'What is staking?');
    await page.goto('/archive');
    await expect(page.locator('a[href^="/chat/archive/"]').first()).toBeVisible();
    await workerReady(page);
    await page.evaluate((how) => sessionStorage.setItem('writes', how), how);
    await page.goto('/settings/account');
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL(/\/login$/);

    await context.setOffline(true);
    await page.goto('/archive');
    await expect(page).toHaveURL(/\/sign-up$/);
    // The next start whose storage works finishes it.
    await page.evaluate(() => sessionStorage.removeItem('writes'));
    await page.goto('/archive');
    await expect(page).toHaveURL(/\/sign-up$/);
    const stored = await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
    expect(stored.filter((name) => name?.startsWith('tidemark-user-'))).toEqual([]);
  });
