import { expect, type Page } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { ask, newPerson } from '#tests/support/browser/main-path.ts';
import { nextVersion } from '#tests/support/browser/next-version.ts';
import { takenOver } from '#tests/support/browser/taken-over.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { test } from '../fixtures.ts';

const OFFER = 'Install Tidemark';
const UPDATE = 'A new version of Tidemark is ready.';
const prompt = (page: Page, name: string) => page.getByRole('region', { name });

/** Fires the event of Chromium for an installable app, which a browser under test never fires. */
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

test('the app offers to install itself once, after the first answer and never on entry', { tag: '@nightly' }, async ({ page, app }) => {
  await browserOffers(page);
  await signedIn(page, app, newPerson());
  await page.reload();
  await workerReady(page);
  await page.getByRole('link', { name: 'Crypto', exact: true }).click();
  await page.waitForURL('**/crypto');
  await expect(page.getByText('Bitcoin').first()).toBeVisible();
  await expect(prompt(page, OFFER)).toBeHidden();

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

test('a new version waits for an unsaved form, and loads when the user presses Update', async ({ page, app }) => {
  const person = newPerson();
  const proxy = await nextVersion(app.url);
  try {
    await signedIn(page, { ...app, url: proxy.url }, person, '/settings/profile');
    await workerReady(page);
    const name = page.getByLabel('First Name');
    await name.fill('Augusta');
    proxy.deploy();
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
    await takenOver(page);
    await expect.poll(() => page.evaluate(async () => (await navigator.serviceWorker.ready).waiting)).toBeNull();
    await expect(page.getByText(person.email)).toBeVisible();
    await expect(prompt(page, UPDATE)).toBeHidden();
  } finally {
    proxy.close();
  }
});
