import { expect, type Page } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { ask } from '#tests/support/browser/main-path.ts';
import { test } from '../fixtures.ts';

const ada = { firstName: 'Ada', lastName: 'King', password: 'Abcde1' };

/** Opens an address and looks at it once it has settled. */
async function look(page: Page, path: string) {
  await page.goto(path);
  await page.waitForLoadState('networkidle');
  // Softly, so that one run names every screen that needs work.
  expect.soft(await accessibilityProblems(page), path).toEqual([]);
}

test('screens for anybody have no accessibility problem', { tag: '@every-size' }, async ({ page }) => {
  for (const path of ['/onboarding/one', '/onboarding/two', '/onboarding/three']) await look(page, path);
  await page.getByText('Get Started').click();
  await page.waitForURL('**/sign-up');
  for (const path of ['/sign-up', '/login', '/settings/terms-and-conditions', '/settings/privacy-policies', '/no-such-page']) {
    await look(page, path);
  }
});

test('screens for a signed-in user have no accessibility problem', { tag: '@every-size' }, async ({ page, app }) => {
  test.slow();
  await signedIn(page, app, { ...ada, email: `${test.info().project.name}.accessibility@example.com` });
  await ask(page, app, 'What is the price of Bitcoin?');
  const conversation = new URL(page.url()).pathname;
  const paths = ['/home', '/crypto', '/crypto/details/1', '/crypto/crypto-search', '/archive', '/chat', conversation, '/settings/account'];
  for (const path of paths) await look(page, path);
});
