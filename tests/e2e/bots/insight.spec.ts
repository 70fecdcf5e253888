import { expect } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { test } from '../fixtures.ts';

test('the training insight introduces, shows our indicator in its frame, and opens it offline', async ({ page, context, app }) => {
  test.slow();
  await signedIn(page, app, { firstName: 'Ada', lastName: 'King', email: 'insight@example.com', password: 'Abcde1' });
  await page.getByRole('link', { name: /^Chart Analysis/ }).click();
  await expect(page.getByText("An exchange account registered with Tidemark's referral code is required.")).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign Up' })).toHaveAttribute('target', '_blank');
  expect(await accessibilityProblems(page)).toEqual([]);

  await page.getByRole('button', { name: 'Continue' }).click();
  const frame = page.frameLocator('iframe[title=Indicator]');
  const levels = frame.getByRole('list', { name: 'Levels around the price' });
  await expect(levels.getByRole('listitem').first()).toContainText(/^(Support|Resistance)\$/);
  await expect(frame.locator('canvas').first()).toBeVisible();
  const box = await page.locator('iframe').boundingBox();
  expect(box && Math.round(box.y + box.height)).toBe(page.viewportSize()?.height);
  expect(await accessibilityProblems(page)).toEqual([]);
  await frame.locator('label', { hasText: '1d' }).click();
  await expect(frame.getByRole('radio', { name: '1 day' })).toBeChecked();
  await expect(levels).toBeVisible();

  // Of a frame, axe hears nothing: the page in it is looked at by itself.
  await page.goto('/indicator');
  await expect(page.getByRole('list', { name: 'Levels around the price' })).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.goBack();

  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await context.setOffline(true);
  await page.reload();
  await expect(frame.getByText(/^Offline · saved /)).toBeVisible();
  await expect(levels.getByRole('listitem').first()).toContainText('$');
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible();
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(page).toHaveURL('/home');
});
