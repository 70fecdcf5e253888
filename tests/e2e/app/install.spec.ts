import { expect, type Page } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { ask } from '#tests/support/browser/main-path.ts';
import { nextVersion } from '#tests/support/browser/next-version.ts';
import { test } from '../fixtures.ts';

const OFFER = 'Install Tidemark';
const UPDATE = 'A new version of Tidemark is ready.';
const prompt = (page: Page, name: string) => page.getByRole('region', { name });

/** What Chromium does where an app can be installed. A browser under test never asks by itself. */
const browserOffers = (page: Page) =>
  page.addInitScript(() => {
    window.addEventListener('load', () => {
      const offer = {
        prompt: async () => document.documentElement.setAttribute('data-asked', ''),
        userChoice: Promise.resolve({ outcome: 'accepted' }),
      };
      window.dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), offer));
    });
  });

/** The code that comes after the first screen is there. */
const settled = (page: Page) => page.evaluate(async () => void (await navigator.serviceWorker.ready));

test('the app is offered for installing after the first answer, never on entry, and once', async ({ page, app }) => {
  test.slow();
  await browserOffers(page);
  await signedIn(page, app, { firstName: 'Ada', lastName: 'King', email: 'installs@example.com', password: 'Abcde1' });
  await page.reload();
  await settled(page);
  await page.getByRole('link', { name: 'Crypto', exact: true }).click();
  await page.waitForURL('**/crypto');
  await expect(page.getByText('Bitcoin').first()).toBeVisible();
  await expect(prompt(page, OFFER)).toBeHidden();

  await page.emulateMedia({ reducedMotion: 'reduce' }); // the answer is there at once
  await ask(page, app, 'How is Bitcoin doing?');
  await expect(page.getByRole('button', { name: 'Copy answer' }).first()).toBeVisible();
  await expect(prompt(page, OFFER)).toBeHidden();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(prompt(page, OFFER)).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Install', exact: true }).click();
  await expect(page.locator('html[data-asked]')).toHaveCount(1);
  await expect(prompt(page, OFFER)).toBeHidden();
  expect(await page.evaluate(() => localStorage.getItem('install-offered'))).not.toBeNull();
});

test('a new version waits for a form with changes, and is there seconds after it is agreed to', async ({ page, app }) => {
  test.slow();
  const door = await nextVersion(app.url);
  try {
    await signedIn(
      page,
      { ...app, url: door.url },
      { firstName: 'Ada', lastName: 'King', email: 'updates@example.com', password: 'Abcde1' },
    );
    await page.goto(`${door.url}/settings/profile`);
    await settled(page);
    const name = page.getByLabel('First Name');
    await name.fill('Augusta');
    door.deploy();
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      await registration.update();
    });
    await expect.poll(() => page.evaluate(async () => (await navigator.serviceWorker.ready).waiting !== null)).toBe(true);
    await page.getByRole('heading', { level: 1 }).click();
    await expect(prompt(page, UPDATE)).toBeHidden();
    await name.fill('Ada');
    await page.getByRole('button', { name: 'Back' }).click();
    await page.waitForURL('**/settings/account');
    await expect(prompt(page, UPDATE)).toBeVisible();
    expect(await accessibilityProblems(page)).toEqual([]);

    const reloaded = page.waitForEvent('load');
    await page.getByRole('button', { name: 'Update' }).click();
    await reloaded;
    await expect.poll(() => page.evaluate(async () => (await navigator.serviceWorker.ready).waiting)).toBeNull();
    await expect(page.getByText('updates@example.com')).toBeVisible();
    await expect(prompt(page, UPDATE)).toBeHidden();
  } finally {
    door.close();
  }
});
