import { expect, type Page } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { ask, closeOnboarding, newPerson } from '#tests/support/browser/main-path.ts';
import { test } from '../fixtures.ts';
import { SIZES } from '../sizes.ts';

// No test here needs the service worker, which would fetch 60 files for each.
test.use({ serviceWorkers: 'block' });

/** Opens a screen and checks it once it has loaded. */
async function check(page: Page, path: string) {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached();
  await expect(page.getByRole('heading', { level: 1 }).first()).not.toHaveText('Loading');
  await expect(page.getByText('Loading', { exact: true })).toHaveCount(0);
  // Soft, so that one run names every screen that needs work.
  expect.soft(await accessibilityProblems(page), path).toEqual([]);
}

for (const { size, use, again } of SIZES) {
  test.describe(`on a ${size}`, () => {
    test.use(use);

    test('screens for visitors have no accessibility problem', { tag: again }, async ({ page }) => {
      for (const path of ['/onboarding/one', '/onboarding/two', '/onboarding/three']) await check(page, path);
      await closeOnboarding(page);
      for (const path of ['/sign-up', '/login', '/settings/terms-and-conditions', '/settings/privacy-policies', '/no-such-page']) {
        await check(page, path);
      }
    });

    // The tests of these screens check them on a phone. market.spec.ts checks the list and a coin's page at every size.
    test('screens for a signed-in user have no accessibility problem', { tag: size === 'phone' ? '@nightly' : [] }, async ({
      page,
      app,
    }) => {
      await signedIn(page, app, newPerson());
      await ask(page, app, 'What is the price of Bitcoin?');
      await expect(page.getByRole('button', { name: 'Copy answer' })).toBeVisible();
      const conversation = new URL(page.url()).pathname;
      for (const path of ['/home', '/crypto/crypto-search', '/archive', '/chat', conversation, '/settings/account'])
        await check(page, path);
    });
  });
}
