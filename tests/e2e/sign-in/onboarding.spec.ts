import { expect, type Page } from '@playwright/test';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { holdTimers } from '#tests/support/browser/held-timers.ts';
import { shiftsOf, watchShifts } from '#tests/support/browser/layout-shifts.ts';
import { test } from '../fixtures.ts';
import { WORKER_AT_NIGHT } from '../nightly.ts';

test.use(WORKER_AT_NIGHT);

/** How long the splash stays, ms (src/client/features/onboarding/splash-page.tsx). */
const SPLASH_MS = 2_600;

/** Presses Tab until `name` has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const focused = page.locator(':focus');
  for (let steps = 0; steps < 10; steps++) {
    await page.keyboard.press('Tab');
    if ((await focused.textContent()) === name) return;
  }
  throw new Error(`${name} is not reached by Tab`);
}

test('the splash shows before styles and scripts, does not move, and leads a new visitor to onboarding', async ({ page }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/theme\.js$|\/assets\/.*\.(css|js)$/, async (route) => {
    await held;
    await route.continue();
  });
  await watchShifts(page);
  const leaveSplash = await holdTimers(page, SPLASH_MS);
  await page.goto('/', { waitUntil: 'commit' });
  const mark = page.locator('.boot-mark');
  await expect(mark).toBeVisible();
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  const before = await mark.boundingBox();
  release();
  await expect(page.getByRole('heading', { name: 'Tidemark' })).toBeAttached();
  await expect(mark).toBeVisible();
  expect(await mark.boundingBox()).toEqual(before);
  expect(await shiftsOf(page)).toEqual([]);
  await leaveSplash();
  await expect(page).toHaveURL(/\/onboarding\/one$/);
  await expect(mark).toBeHidden();
});

test('a visitor goes through onboarding by keyboard', async ({ page }) => {
  await page.goto('/onboarding/one');
  await expect(page.getByRole('heading', { name: 'Welcome to Tidemark' })).toBeFocused();
  await tabTo(page, 'Next');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Stay Updated with Real-Time Market Data' })).toBeFocused();
  await tabTo(page, 'Skip');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Ask and analyze with Tidemark AI' })).toBeFocused();
  await tabTo(page, 'Get Started');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Create an Account' })).toBeVisible();
  // Closed onboarding stays closed, and the splash leads to sign-up.
  await page.goto('/onboarding/two');
  await expect(page).toHaveURL(/\/sign-up$/);
  await page.goto('/');
  await expect(page).toHaveURL(/\/sign-up$/);
});

test('the splash has no accessibility problem', async ({ page }) => {
  await holdTimers(page, SPLASH_MS);
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Tidemark' })).toBeAttached();
  expect(await accessibilityProblems(page)).toEqual([]);
});
