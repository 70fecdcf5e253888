import { expect } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { deviceHas } from '#tests/support/browser/device-db.ts';
import { newPerson } from '#tests/support/browser/main-path.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { test } from '../fixtures.ts';

test('the training insight shows an introduction, then the indicator in a frame, offline too', async ({ page, context, app }) => {
  await signedIn(page, app, newPerson());
  await page.getByRole('link', { name: /^Chart Analysis/ }).click();
  await expect(page.getByText("An exchange account registered with Tidemark's referral code is required.")).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign Up' })).toHaveAttribute('target', '_blank');
  expect(await accessibilityProblems(page)).toEqual([]);

  await page.getByRole('button', { name: 'Continue' }).click();
  const frame = page.frameLocator('iframe[title="Chart Analysis"]');
  const levels = frame.getByRole('list', { name: 'Levels around the price' });
  // The price itself comes first on a day when it is above all levels.
  const level = levels.getByRole('listitem').filter({ hasText: /^(Support|Resistance)\$/ });
  await expect(level.first()).toBeVisible();
  await expect(frame.locator('canvas').first()).toBeVisible();
  const box = await page.locator('iframe').boundingBox();
  expect(box && Math.round(box.y + box.height)).toBe(page.viewportSize()?.height);
  expect(await accessibilityProblems(page)).toEqual([]);
  await frame.locator('label', { hasText: '1d' }).click();
  await expect(frame.getByRole('radio', { name: '1 day' })).toBeChecked();
  await expect(levels).toBeVisible();

  // axe does not enter frames, so it checks the framed page on its own.
  await page.goto('/indicator');
  await expect(page.getByRole('list', { name: 'Levels around the price' })).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.goBack();

  await workerReady(page);
  await deviceHas(page, 'stamps', /^indicator.1h$/);
  await context.setOffline(true);
  await page.reload();
  await expect(frame.getByText(/^Offline · saved /)).toBeVisible();
  await expect(levels.getByRole('listitem').first()).toContainText('$');
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible();
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(page).toHaveURL('/home');
});
